/**
 * What drivers who came to the beginning of an edge from one road did there. Time is cut into slots, and each
 * slot counts once: a platoon that leaves a signal together is one choice, however many drivers are in it.
 */
export interface Approach {
  /** Stable id of the road they came from; empty where that is not known. */
  readonly from: string;
  /** Slots in which somebody took the edge; each new one takes `1 / memory` off those before. */
  readonly took: number;
  /** Slots in which somebody took another exit and nobody took the edge, decayed alike. */
  readonly left: number;
  /**
   * The same since the edge was last taken, from anywhere. Not part of `left`, or a closed road would
   * unlearn.
   */
  readonly missed: number;
  /** The latest slots of either kind. */
  readonly tookSlot: number;
  readonly missedSlot: number;
}

/**
 * Roads that lead to one edge and are remembered; crossings with more are rare, and the rest says nothing.
 */
const approachesMax = 6;
/** Slots in which an edge was taken from a road, before what drivers from there do says anything. */
const tookMin = 5;

const unknown = (from: string): Approach => ({
  from,
  took: 0,
  left: 0,
  missed: 0,
  tookSlot: -1,
  missedSlot: -1,
});

/** Somebody took the edge at the beginning of `slot`. `memory` is in slots. */
export function withTaken(
  approaches: readonly Approach[],
  from: string,
  slot: number,
  memory: number,
): readonly Approach[] {
  return changed(withLearntMissed(approaches), from, (each) => {
    if (each.tookSlot === slot) return each;
    const kept = 1 - 1 / memory;
    // Who came earlier in the same slot and went elsewhere made no slot without the edge.
    const left = each.left - (each.missedSlot === slot ? Math.min(1, each.left) : 0);
    return { ...each, took: each.took * kept + 1, left: left * kept, tookSlot: slot };
  });
}

/** The edge is open, so what was missed before was chosen. */
export function withLearntMissed(approaches: readonly Approach[]): readonly Approach[] {
  return approaches.map((each) =>
    each.missed === 0 ? each : { ...each, left: each.left + each.missed, missed: 0 },
  );
}

/** Somebody took another exit. */
export function withMissed(approaches: readonly Approach[], from: string, slot: number): readonly Approach[] {
  return changed(approaches, from, (each) =>
    each.tookSlot === slot || each.missedSlot === slot
      ? each
      : { ...each, missed: each.missed + 1, missedSlot: slot },
  );
}

/** Forgets what was missed without learning from it: the edge was closed meanwhile. */
export function withoutMissed(approaches: readonly Approach[]): readonly Approach[] {
  return approaches.map((each) => (each.missed === 0 ? each : { ...each, missed: 0 }));
}

/**
 * Previous choices that count, at most. Drivers do not choose independently of each other and of the hour,
 * so a share that is known from many slots is taken as if it were known from so few.
 */
const slotsCounted = 16;
/**
 * Where fewer usually take the edge, that nobody does proves nothing: with 60 % for an hour, 30 and even 111
 * drivers in a row went elsewhere when demand or a jam further on changed; with 89 %, 16 did.
 */
const shareMin = 0.95;

const proves = ({ took, left }: Approach): boolean => took >= tookMin && took >= shareMin * (took + left);

/**
 * Nats of evidence in what was missed: -ln of the probability that drivers who choose as they did before
 * choose otherwise each time. The share of the edge is a Beta posterior (Jeffreys' prior) over `slotsCounted`
 * choices at most: the product of (left + 1/2 + i) / (took + left + 1 + i) over the missed slots i.
 */
export function missedNats(approaches: readonly Approach[]): number {
  let nats = 0;
  for (const each of approaches) {
    if (!proves(each)) continue;
    const { took, left, missed } = each;
    const kept = Math.min(1, slotsCounted / (took + left));
    const [all, others] = [kept * (took + left) + 1, kept * left + 0.5];
    for (let i = 0; i < missed; i++) nats += Math.log((all + i) / (others + i));
  }
  return nats;
}

/**
 * For people: slots in which drivers went elsewhere, and the share of slots in which some usually take the
 * edge.
 */
export function missedShare(approaches: readonly Approach[]): {
  readonly missed: number;
  readonly share: number;
} {
  let [missed, took, left] = [0, 0, 0];
  for (const each of approaches) {
    if (!proves(each)) continue;
    missed += each.missed;
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
