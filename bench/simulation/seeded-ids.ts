import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { seeded } from '../routing/seeded.js';

/** Ids are drawn deep inside the product; while `work` runs they follow the seed too. */
export async function withSeededIds<Result>(seed: number, work: () => Promise<Result>): Promise<Result> {
  const before = crypto.randomUUID;
  const random = seeded(seed);
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
