import { ownName } from '#payment/psp/https-psp.js';
import { receiveWebhook } from '#payment/webhooks/receive-webhook.js';
import type { Sql } from '#platform/sql/sql.js';
import type { TopicCodecs } from '#platform/wire/topic-codecs.js';
import { paymentOrderLifecycle, reservationLifecycle } from '#schemas/topics.js';
import { buyer } from './buyer.js';
import type { Witnesses } from './check-city.js';
import { startCityProcess, webhookSecret } from './city-process.js';
import type { CityWorld } from './city-world.js';
import { poll } from './consumer-groups.js';
import { type FaultRates, noFaults, someFaults } from './fault-rates.js';
import { guest } from './guest.js';
import { hoarder } from './hoarder.js';
import { openHotel } from './open-hotel.js';
import { pendingWork } from './pending-work.js';
import { SimulatedLog } from './simulated-log.js';
import { type SignedDelivery, SimulatedProvider } from './simulated-provider.js';
import { VirtualClock } from './virtual-clock.js';
import { CityWatch } from './watch-city.js';

export const startMs = Date.parse('2027-06-01T12:00:00Z');
const quietMs = 3_600_000;
const pollMsMin = 500;
const pollMsMax = 20_000;
const alertEveryMs = 300_000;
const databaseOutageMs = 20_000;
const providerOutageMs = 25 * 60_000;
/** A process crashes within at most this many statements from now. */
const lastStatementsMax = 40;

/**
 * Simulates a city for some virtual hours: processes crash and restart, faults occur, guests and buyers act.
 */
export class City {
  readonly #world: CityWorld;
  readonly #watch = new CityWatch();
  #activeMs = startMs;
  #nextPollMs = Number.POSITIVE_INFINITY;
  #forgedTaken = 0;

  constructor(sql: Sql, codecs: TopicCodecs, random: () => number) {
    const clock = new VirtualClock(startMs);
    const faults: FaultRates = { ...someFaults };
    this.#world = {
      sql,
      codecs,
      clock,
      random,
      faults,
      log: new SimulatedLog(),
      provider: new SimulatedProvider({
        clock,
        random,
        faults,
        secret: webhookSecret,
        deliver: (delivery) => this.#webhook(delivery),
      }),
      counts: { kills: 0, reserved: 0, refused: 0, deadLetters: 0 },
      accepted: new Set(),
      process: undefined as never,
      unavailableUntilMs: 0,
      scheduleJobs: () => this.#scheduleJobs(),
    };
    this.#startProcess();
  }

  async live(hours: number, guests: number, buyers: number): Promise<void> {
    const { sql, clock, random, faults } = this.#world;
    await openHotel(sql);
    const spanMs = hours * 3_600_000;
    for (let number = 0; number < guests; number += 1)
      clock.at(random() * spanMs, () => void guest(this.#world, number).catch(() => {}));
    for (let number = 0; number < buyers; number += 1)
      clock.at(random() * spanMs, () => void buyer(this.#world, number).catch(() => {}));
    clock.at(0.1 * spanMs, () => void hoarder(this.#world).catch(() => {}));
    this.#alert();
    this.#scheduleJobs();
    await clock.runUntil(startMs + spanMs);
    Object.assign(faults, noFaults);
    this.#scheduleJobs();
    await clock.runUntil(startMs + spanMs + quietMs);
  }

  get counts(): Readonly<Record<string, number>> {
    const { counts, accepted, provider } = this.#world;
    return { ...counts, accepted: accepted.size, calls: provider.calls };
  }

  witnesses(): Witnesses {
    const { provider, accepted, log, clock } = this.#world;
    return {
      record: provider.record.lines,
      accepted,
      published: log.records(paymentOrderLifecycle.name).map(({ eventId }) => eventId),
      forgedTaken: this.#forgedTaken,
      brokenAtSomeInstant: [...this.#watch.broken],
      nowMs: clock.nowMs,
    };
  }

  #startProcess(): void {
    this.#world.process = startCityProcess(this.#world, () => {
      this.#world.counts.kills += 1;
      this.#startProcess();
    });
  }

  #scheduleJobs(): void {
    this.#activeMs = this.#world.clock.nowMs;
    this.#pollIn(pollMsMin);
  }

  #pollIn(afterMs: number): void {
    const { clock } = this.#world;
    const atMs = clock.nowMs + Math.max(1, Math.ceil(afterMs));
    if (atMs >= this.#nextPollMs) return;
    this.#nextPollMs = atMs;
    clock.at(atMs - clock.nowMs, () => {
      // An earlier poll has been scheduled meanwhile.
      if (clock.nowMs !== this.#nextPollMs) return;
      this.#nextPollMs = Number.POSITIVE_INFINITY;
      void this.#poll().catch(() => this.#pollIn(pollMsMax));
    });
  }

  /**
   * Runs all loops and groups of a process that have work; the next poll follows when there is work again.
   */
  async #poll(): Promise<void> {
    const { sql, clock, random, faults, log, process, unavailableUntilMs } = this.#world;
    if (clock.nowMs < unavailableUntilMs) {
      this.#pollIn(unavailableUntilMs - clock.nowMs);
      return;
    }
    const pending = await clock.during(pendingWork(sql, clock.nowMs));
    const groups = process.groups.filter(({ name, topic }) => log.next(name, topic, 1).length > 0);
    const jobs = process.jobs.filter(([what]) => pending[what]);
    if (groups.length + jobs.length > 0) {
      this.#injectFaults();
      for (const [, job] of jobs) job().catch(() => {});
      for (const group of groups) if (random() >= faults.slowGroups) poll(this.#world, group).catch(() => {});
      await clock.during(this.#watch.check(sql));
      const calmMs = clock.nowMs - this.#activeMs;
      this.#pollIn(Math.min(pollMsMax, Math.max(pollMsMin, calmMs / 4)));
    } else if (Number.isFinite(pending.nextMs)) this.#pollIn(pending.nextMs - clock.nowMs);
  }

  #injectFaults(): void {
    const { clock, random, log, process, provider } = this.#world;
    const { kills, databaseUnavailable, providerUnavailable, redelivered } = this.#world.faults;
    if (random() < kills) process.sql.crashesIn = 1 + Math.floor(random() * lastStatementsMax);
    if (random() < databaseUnavailable) this.#world.unavailableUntilMs = clock.nowMs + databaseOutageMs;
    if (random() < providerUnavailable) provider.unavailableUntilMs = clock.nowMs + providerOutageMs;
    if (random() < redelivered)
      for (const group of ['ledger', 'wallet', 'booking'])
        log.move(group, paymentOrderLifecycle.name, -Math.floor(random() * 5));
    if (random() < redelivered) log.move('booking', reservationLifecycle.name, -2);
  }

  #alert(): void {
    this.#world.process.alert().catch(() => {});
    this.#world.clock.at(alertEveryMs, () => this.#alert());
  }

  async #webhook({ id, ...signed }: SignedDelivery): Promise<boolean> {
    this.#scheduleJobs();
    const { webhooks } = this.#world.process.service;
    const headers = new Map([
      ['webhook-id', id],
      ['webhook-timestamp', signed.timestamp],
      ['webhook-signature', signed.signature],
    ]);
    const request = { header: (name: string) => headers.get(name), body: signed.body };
    const { outcome } = await receiveWebhook(webhooks, webhooks.providers.of(ownName)!, request);
    if (id.endsWith('_forged') && outcome === 'recorded') this.#forgedTaken += 1;
    return outcome === 'recorded' || outcome === 'repeated';
  }
}
