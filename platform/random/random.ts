/** A seeded source of randomness; the same seed gives the same city. */
export interface Random {
  /** 0 ≤ x < 1. */
  next(): number;
  /** Whole number, 0 ≤ n < bound. */
  below(bound: number): number;
  /** Normal with mean 0 and deviation 1 (Box and Muller, 1958). */
  normal(): number;
  pick<Item>(items: readonly Item[]): Item;
  /** An independent source for one driver, so that one more driver does not change the others. */
  fork(stream: number): Random;
}

/** SplitMix32: a full-period 32-bit generator, enough for traffic and small enough to read. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
  const below = (bound: number): number => Math.floor(next() * bound);
  return {
    next,
    below,
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
    pick: (items) => items[below(items.length)]!,
    fork: (stream) => seededRandom(Math.imul(seed + 1, 0x85ebca6b) ^ Math.imul(stream + 1, 0xc2b2ae35)),
  };
}
