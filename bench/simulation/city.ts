import { receiveWebhook } from '#payment/webhooks/receive-webhook.js';
import type { Sql } from '#platform/sql/sql.js';
import type { TopicCodecs } from '#platform/wire/topic-codecs.js';
import { paymentOrderLifecycle, reservationLifecycle } from '#schemas/topics.js';
import { buyer } from './buyer.js';
import { startCityProcess, webhookSecret } from './city-process.js';
import type { CityWorld } from './city-world.js';
import { poll } from './consumer-groups.js';
import { guest } from './guest.js';
import type { Witnesses } from './judge-city.js';
import { openHotel } from './open-hotel.js';
import { SimulatedLog } from './simulated-log.js';
import { type SignedDelivery, SimulatedProvider } from './simulated-provider.js';
import { VirtualClock } from './virtual-clock.js';
import { CityWatch } from './watch-city.js';
import { fairWeather, storm, type Weather } from './weather.js';
import { whatWaits } from './what-waits.js';

export const startMs = Date.parse('2027-06-01T12:00:00Z');
const quietMs = 3_600_000;
const lookMsMin = 500;
const lookMsMax = 20_000;
const alertEveryMs = 300_000;
const awayMs = 20_000;
const providerAwayMs = 25 * 60_000;
/** A process dies within at most this many statements from now. */
const lastStatementsMax = 40;

/**
 * A city that lives for some virtual hours: its processes die and are born again, its weather changes, its
 * people come and go.
 */
export class City {
  readonly #world: CityWorld;
  readonly #watch = new CityWatch();
  #activeMs = startMs;
  #nextLookMs = Number.POSITIVE_INFINITY;
  #forgedTaken = 0;

  constructor(sql: Sql, codecs: TopicCodecs, random: () => number) {
    const clock = new VirtualClock(startMs);
    const weather: Weather = { ...storm };
    this.#world = {
      sql,
      codecs,
      clock,
      random,
      weather,
      log: new SimulatedLog(),
      provider: new SimulatedProvider({
        clock,
        random,
        weather,
        secret: webhookSecret,
        deliver: (delivery) => this.#webhook(delivery),
      }),
      counts: { kills: 0, reserved: 0, refused: 0, deadLetters: 0 },
      accepted: new Set(),
      process: undefined as never,
      awayUntilMs: 0,
      stir: () => this.#stir(),
    };
    this.#born();
  }

  async live(hours: number, guests: number, buyers: number): Promise<void> {
    const { sql, clock, random, weather } = this.#world;
    await openHotel(sql);
    const spanMs = hours * 3_600_000;
    for (let number = 0; number < guests; number += 1)
      clock.at(random() * spanMs, () => void guest(this.#world, number).catch(() => {}));
    for (let number = 0; number < buyers; number += 1)
      clock.at(random() * spanMs, () => void buyer(this.#world, number).catch(() => {}));
    this.#alert();
    this.#stir();
    await clock.runUntil(startMs + spanMs);
    Object.assign(weather, fairWeather);
    this.#stir();
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
      told: log.records(paymentOrderLifecycle.name).map(({ eventId }) => eventId),
      forgedTaken: this.#forgedTaken,
      brokenAtSomeInstant: [...this.#watch.broken],
      nowMs: clock.nowMs,
    };
  }

  #born(): void {
    this.#world.process = startCityProcess(this.#world, () => {
      this.#world.counts.kills += 1;
      this.#born();
    });
  }

  #stir(): void {
    this.#activeMs = this.#world.clock.nowMs;
    this.#lookIn(lookMsMin);
  }

  #lookIn(afterMs: number): void {
    const { clock } = this.#world;
    const atMs = clock.nowMs + Math.max(1, Math.ceil(afterMs));
    if (atMs >= this.#nextLookMs) return;
    this.#nextLookMs = atMs;
    clock.at(atMs - clock.nowMs, () => {
      // An earlier poll has been scheduled meanwhile.
      if (clock.nowMs !== this.#nextLookMs) return;
      this.#nextLookMs = Number.POSITIVE_INFINITY;
      void this.#look().catch(() => this.#lookIn(lookMsMax));
    });
  }

  /**
   * Runs the loops and groups of a process that have work, all at once; the next poll comes when there is
   * work again.
   */
  async #look(): Promise<void> {
    const { sql, clock, random, weather, log, process, awayUntilMs } = this.#world;
    if (clock.nowMs < awayUntilMs) {
      this.#lookIn(awayUntilMs - clock.nowMs);
      return;
    }
    const waits = await clock.during(whatWaits(sql, clock.nowMs));
    const groups = process.groups.filter(({ name, topic }) => log.next(name, topic, 1).length > 0);
    const jobs = process.jobs.filter(([what]) => waits[what]);
    if (groups.length + jobs.length > 0) {
      this.#changeWeather();
      for (const [, job] of jobs) job().catch(() => {});
      for (const group of groups)
        if (random() >= weather.slowGroups) poll(this.#world, group).catch(() => {});
      await clock.during(this.#watch.look(sql));
      const calmMs = clock.nowMs - this.#activeMs;
      this.#lookIn(Math.min(lookMsMax, Math.max(lookMsMin, calmMs / 4)));
    } else if (Number.isFinite(waits.nextMs)) this.#lookIn(waits.nextMs - clock.nowMs);
  }

  #changeWeather(): void {
    const { clock, random, log, process, provider } = this.#world;
    const { kills, databaseAway, providerAway, redelivered } = this.#world.weather;
    if (random() < kills) process.sql.diesIn = 1 + Math.floor(random() * lastStatementsMax);
    if (random() < databaseAway) this.#world.awayUntilMs = clock.nowMs + awayMs;
    if (random() < providerAway) provider.awayUntilMs = clock.nowMs + providerAwayMs;
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
    this.#stir();
    const { outcome } = await receiveWebhook(this.#world.process.service.webhooks, { id, ...signed });
    if (id.endsWith('_forged') && outcome === 'recorded') this.#forgedTaken += 1;
    return outcome === 'recorded' || outcome === 'repeated';
  }
}
