/**
 * The choices of drivers who reached the start of an edge from one road. Time is cut into slots, and each
 * slot counts once: a platoon that leaves a signal together is one choice, however many drivers are in it.
 */
export interface Approach {
  /** Stable id of the road they came from; empty where that is not known. */
  readonly from: string;
  /** Slots in which a driver took the edge; each new one takes `1 / memory` off those before. */
  readonly took: number;
  /** Slots in which a driver took another exit and none took the edge, decayed in the same way. */
  readonly left: number;
  /**
   * The same since the edge was last taken, from anywhere. Not part of `left`, or a closed road would
   * unlearn.
   */
  readonly missed: number;
  /** The first of those slots, oldest first; absent in records of an earlier version. */
  readonly missedSlots?: readonly number[];
  /** The latest slots of either kind. */
  readonly tookSlot: number;
  readonly missedSlot: number;
  /** Distinct periods in which a driver took the edge, and the latest of them. */
  readonly periods: number;
  readonly period: number;
  /** Drivers from there up to the latest who took the edge, wherever they went; those before fade. */
  readonly came: number;
  readonly firstMs: number;
  readonly cameMs: number;
  /** Drivers who took another exit since the edge was last taken. */
  readonly passedBy: number;
}

/** Drivers who follow each other within this time are one platoon and count once. */
const slotMs = 15_000;
export const slotOf = (atMs: number): number => Math.floor(atMs / slotMs);

/** Stored roads that lead to one edge; crossings with more are rare, and the rest is ignored. */
const approachesMax = 6;
/** Missed slots whose times are kept; more are never counted. */
const slotsKept = 64;
/** Slots in which drivers from a road must have taken the edge before their choices count. */
const tookMin = 5;
/**
 * Shortest period whose choices may be independent of those of the next. While a road is closed somewhere,
 * all drivers choose other exits than usual for minutes.
 */
const periodMs = 10 * 60_000;
/** How long a driver who came counts towards the usual share. */
const fadeMs = 20 * 60_000;

const unknown = (from: string): Approach => ({
  from,
  took: 0,
  left: 0,
  missed: 0,
  missedSlots: [],
  tookSlot: -1,
  missedSlot: -1,
  periods: 0,
  period: -1,
  came: 0,
  firstMs: 0,
  cameMs: 0,
  passedBy: 0,
});

/** A driver took the edge. `memory` is in slots. */
export function withTaken(
  approaches: readonly Approach[],
  from: string,
  atMs: number,
  memory: number,
): readonly Approach[] {
  const slot = slotOf(atMs);
  const period = Math.floor(atMs / periodMs);
  return changed(withLearntMissed(approaches, atMs), from, (each) => {
    const known = {
      ...arrived(each, atMs, 1),
      period,
      periods: each.periods + (period > each.period ? 1 : 0),
    };
    if (each.tookSlot === slot) return known;
    const kept = 1 - 1 / memory;
    // Drivers who came earlier in the same slot and went elsewhere do not make it a slot without the edge.
    const left = each.left - (each.missedSlot === slot ? Math.min(1, each.left) : 0);
    return { ...known, took: each.took * kept + 1, left: left * kept, tookSlot: slot };
  });
}

/**
 * The edge was open at that time, so slots missed before were choices. Later ones are still missed: a passage
 * from before a closure is often received after it.
 */
export function withLearntMissed(approaches: readonly Approach[], atMs: number): readonly Approach[] {
  return approaches.map((each) => {
    const { missed, passedBy, missedSlots = [] } = each;
    if (passedBy === 0) return each;
    const later = missedSlots.filter((slot) => slot > slotOf(atMs));
    const share = missed === 0 ? 0 : later.length / missed;
    const laterBy = Math.round(passedBy * share);
    return {
      ...arrived(each, atMs, passedBy - laterBy),
      left: each.left + missed - later.length,
      missed: later.length,
      missedSlots: later,
      passedBy: laterBy,
    };
  });
}

function arrived(each: Approach, atMs: number, drivers: number): Approach {
  if (each.came === 0) return { ...each, came: drivers, firstMs: atMs, cameMs: atMs };
  const sinceMs = Math.max(0, atMs - each.cameMs);
  return { ...each, came: each.came * Math.exp(-sinceMs / fadeMs) + drivers, cameMs: each.cameMs + sinceMs };
}

/** Drivers who usually come in this many milliseconds. */
function due({ came, firstMs, cameMs }: Approach, ms: number): number {
  const gatheredMs = fadeMs * (1 - Math.exp(-(cameMs - firstMs) / fadeMs));
  return gatheredMs === 0 ? 0 : (came * ms) / gatheredMs;
}

/** A driver took another exit. */
export function withMissed(approaches: readonly Approach[], from: string, atMs: number): readonly Approach[] {
  const slot = slotOf(atMs);
  return changed(approaches, from, (each) => {
    const passedBy = each.passedBy + 1;
    if (each.tookSlot === slot || each.missedSlot === slot) return { ...each, passedBy };
    const missedSlots = [...(each.missedSlots ?? []), slot].slice(0, slotsKept);
    return { ...each, passedBy, missed: each.missed + 1, missedSlots, missedSlot: slot };
  });
}

/** End of the latest slot in which a driver took another exit, and none took the edge since. */
export function lastMissedMs(approaches: readonly Approach[]): number {
  const slots = approaches.flatMap(({ missedSlots = [] }) => missedSlots);
  return (Math.max(...slots) + 1) * slotMs;
}

/** Discards missed slots without learning from them: the edge was closed meanwhile. */
export function withoutMissed(approaches: readonly Approach[]): readonly Approach[] {
  return approaches.map((each) =>
    each.passedBy === 0 ? each : { ...each, missed: 0, missedSlots: [], passedBy: 0 },
  );
}

/**
 * Previous choices that count, at most. Drivers do not choose independently of each other and of the hour, so
 * a share from many slots counts as if it came from this many.
 */
const slotsCounted = 8;
/** This many more drivers than are due are not chance: they are on a detour. */
const surge = 2;
const surgeDrivers = 4;

/** Which shares are known well enough to prove anything. */
export interface ShareSettings {
  /** Periods of ten minutes in which drivers took the edge. */
  readonly periodsMin: number;
  /** Where a smaller share of the drivers usually takes the edge, silence proves nothing. */
  readonly shareMin: number;
}

/** The silence in which choices were missed. */
export interface Silence {
  readonly ms: number;
  /** Whoever took the edge later than this may still be on it. */
  readonly seenMs: number;
}

/** Choices that count among those missed; 0 where they prove nothing. */
function choices(
  approach: Approach,
  { ms, seenMs }: Silence,
  { periodsMin, shareMin }: ShareSettings,
): number {
  const { took, left, missedSlots = [], periods, passedBy } = approach;
  if (took < tookMin || periods < periodsMin || took < shareMin * (took + left)) return 0;
  const usual = due(approach, ms);
  // Drivers of a surge come for another reason: their destinations are unknown, and they may hide that the
  // usual drivers do not come at all.
  if (passedBy > surge * usual + surgeDrivers) return 0;
  const missed = missedSlots.filter((slot) => (slot + 1) * slotMs <= seenMs).length;
  return Math.min(missed, Math.floor(usual));
}

/**
 * Nats of evidence in what was missed: -ln of the probability that drivers who choose as before take another
 * exit each time. The share of the edge is a Beta posterior (Jeffreys' prior) over `slotsCounted` choices at
 * most: the product of (left + 1/2 + i) / (took + left + 1 + i) over the missed slots i.
 */
export function missedNats(approaches: readonly Approach[], silence: Silence, shares: ShareSettings): number {
  let nats = 0;
  for (const each of approaches) {
    const { took, left } = each;
    const kept = Math.min(1, slotsCounted / (took + left));
    const [all, others] = [kept * (took + left) + 1, kept * left + 0.5];
    for (let i = 0, count = choices(each, silence, shares); i < count; i++)
      nats += Math.log((all + i) / (others + i));
  }
  return nats;
}

/**
 * For people: slots in which drivers went elsewhere, and the share of slots in which some usually take the
 * edge.
 */
export function missedShare(
  approaches: readonly Approach[],
  silence: Silence,
  shares: ShareSettings,
): { readonly missed: number; readonly share: number } {
  let [missed, took, left] = [0, 0, 0];
  for (const each of approaches) {
    const count = choices(each, silence, shares);
    if (count === 0) continue;
    missed += count;
    took += each.took;
    left += each.left;
  }
  return { missed, share: took / Math.max(1, took + left) };
}

function changed(
  approaches: readonly Approach[],
  from: string,
  change: (approach: Approach) => Approach,
): readonly Approach[] {
  const known = approaches.find((each) => each.from === from);
  if (known === undefined)
    return approaches.length < approachesMax ? [...approaches, change(unknown(from))] : approaches;
  const next = change(known);
  return next === known ? approaches : approaches.map((each) => (each === known ? next : each));
}
