import type { MeteredFamily } from '#schemas/http/metered-families.js';
import type { RatePolicy } from '../http/http-types.js';
import type { Quota } from '../http/metering.js';
import type { PlanTerms } from './customer-store.js';
import { type Slot, UsageJournal } from './usage-journal.js';
import { dayOf, monthEndOf, monthStartOf, type UsageByFamily } from './usage-store.js';

/** Requests of a customer for one family in the current month. */
interface FamilyUsage {
  /** Of all processes, at the last look into the database. */
  known: number;
  /** Of this process in this month, and how many of them are among `known`. */
  own: number;
  ownKnown: number;
  /** Begun and without an answer. */
  running: number;
  slot: Slot | undefined;
  policy: RatePolicy | undefined;
}

export interface CustomerUsage {
  readonly customerId: string;
  quotas: PlanTerms['perMonth'];
  readonly families: Map<MeteredFamily, FamilyUsage>;
  /** Unix milliseconds. */
  usedAt: number;
}

/** The own counts at one moment, and the journals that contain them. */
export interface MeterMoment {
  readonly month: number;
  readonly own: ReadonlyMap<CustomerUsage, ReadonlyMap<MeteredFamily, number>>;
}

/**
 * Counts in memory and in a journal, and judges quotas. Other processes count at the same time: until the
 * next look into the database, this one does not see their requests.
 */
export class UsageMeter {
  readonly #folder: string;
  readonly #nowMs: () => number;
  readonly #customers = new Map<string, CustomerUsage>();
  #journal: UsageJournal;
  #day: number;
  #dayEndsAt: number;
  #month: number;
  #monthEndsAt: number;
  /** Journals of earlier days whose counts are not all in the database. */
  readonly full: UsageJournal[] = [];

  constructor(folder: string, nowMs: () => number) {
    this.#folder = folder;
    this.#nowMs = nowMs;
    this.#journal = new UsageJournal(folder);
    const now = nowMs();
    this.#day = dayOf(now);
    this.#dayEndsAt = (this.#day + 1) * 86_400_000;
    this.#month = monthStartOf(now);
    this.#monthEndsAt = monthEndOf(now);
  }

  get journal(): UsageJournal {
    return this.#journal;
  }

  /** The one state of a customer, whatever its keys. `known`: its requests of this month in the database. */
  customer(
    customerId: string,
    { perMonth }: Pick<PlanTerms, 'perMonth'>,
    known: UsageByFamily,
  ): CustomerUsage {
    const now = this.#nowMs();
    this.#turn(now);
    let usage = this.#customers.get(customerId);
    if (usage === undefined) {
      usage = { customerId, quotas: perMonth, families: new Map(), usedAt: now };
      for (const [family, requests] of Object.entries(known))
        usage.families.set(family as MeteredFamily, { ...unused(), known: requests });
      this.#customers.set(customerId, usage);
    }
    if (usage.quotas !== perMonth) {
      usage.quotas = perMonth;
      for (const family of usage.families.values()) family.policy = undefined;
    }
    return usage;
  }

  begin(usage: CustomerUsage, family: MeteredFamily): Quota | undefined {
    const now = this.#nowMs();
    this.#turn(now);
    usage.usedAt = now;
    const state = familyOf(usage, family);
    const limit = usage.quotas[family];
    if (limit === undefined) {
      state.running += 1;
      return undefined;
    }
    state.policy ??= {
      name: `${family}-month`,
      limit,
      windowS: (this.#monthEndsAt - this.#month) / 1_000,
    };
    const used = state.known + state.own - state.ownKnown + state.running;
    const allowed = used < limit;
    if (allowed) state.running += 1;
    const resetS = Math.max(1, Math.ceil((this.#monthEndsAt - now) / 1_000));
    return {
      policy: state.policy,
      verdict: { allowed, remaining: Math.max(0, limit - used - (allowed ? 1 : 0)), resetS },
    };
  }

  end(usage: CustomerUsage, family: MeteredFamily, isCounted: boolean): void {
    this.#turn(this.#nowMs());
    const state = familyOf(usage, family);
    state.running -= 1;
    if (!isCounted) return;
    state.slot ??= this.#journal.slot(usage.customerId, this.#day, family);
    this.#journal.add(state.slot);
    state.own += 1;
  }

  /** What is to be in the database before `learn` gets the same moment. */
  moment(): MeterMoment {
    this.#turn(this.#nowMs());
    const own = [...this.#customers.values()].map(
      (usage) => [usage, new Map([...usage.families].map(([name, state]) => [name, state.own]))] as const,
    );
    return { month: this.#month, own: new Map(own) };
  }

  /** Requests of all processes, read after the own counts of the moment were in the database. */
  learn({ month, own }: MeterMoment, known: ReadonlyMap<string, UsageByFamily>): void {
    this.#turn(this.#nowMs());
    if (month !== this.#month) return;
    for (const [usage, counts] of own)
      for (const [name, state] of usage.families) {
        state.known = known.get(usage.customerId)?.[name] ?? 0;
        state.ownKnown = counts.get(name) ?? 0;
      }
  }

  /** Forgets customers without a request since then, if all of their requests are in the database. */
  forget(beforeMs: number): void {
    for (const [customerId, usage] of this.#customers) {
      const isIdle = [...usage.families.values()].every(
        ({ running, own, ownKnown }) => running === 0 && own === ownKnown,
      );
      if (isIdle && usage.usedAt < beforeMs) this.#customers.delete(customerId);
    }
  }

  /** A journal has the counts of one day, so that none grows for long. */
  #turn(now: number): void {
    if (now < this.#dayEndsAt) return;
    const next = new UsageJournal(this.#folder);
    this.full.push(this.#journal);
    this.#journal = next;
    this.#day = dayOf(now);
    this.#dayEndsAt = (this.#day + 1) * 86_400_000;
    const isNewMonth = now >= this.#monthEndsAt;
    if (isNewMonth) {
      this.#month = monthStartOf(now);
      this.#monthEndsAt = monthEndOf(now);
    }
    for (const { families } of this.#customers.values())
      for (const state of families.values()) {
        state.slot = undefined;
        if (isNewMonth) Object.assign(state, { ...unused(), running: state.running });
      }
  }
}

const unused = (): FamilyUsage => ({
  known: 0,
  own: 0,
  ownKnown: 0,
  running: 0,
  slot: undefined,
  policy: undefined,
});

function familyOf({ families }: CustomerUsage, family: MeteredFamily): FamilyUsage {
  let state = families.get(family);
  if (state === undefined) {
    state = unused();
    families.set(family, state);
  }
  return state;
}
