import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

/** mulberry32: the same numbers for the same seed. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Ids are drawn deep inside the product; while `work` runs they follow the seed too. */
export async function withSeededIds<Result>(seed: number, work: () => Promise<Result>): Promise<Result> {
  const before = crypto.randomUUID;
  const random = seededRandom(seed);
  crypto.randomUUID = () => seededUuid(random);
  syncBuiltinESMExports();
  try {
    return await work();
  } finally {
    crypto.randomUUID = before;
    syncBuiltinESMExports();
  }
}

function seededUuid(random: () => number): `${string}-${string}-${string}-${string}-${string}` {
  const hex = (length: number) =>
    Array.from({ length }, () => Math.floor(random() * 16).toString(16)).join('');
  return `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`;
}
