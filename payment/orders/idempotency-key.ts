import { createHash } from 'node:crypto';
import { orderLimits } from '../settings/order-limits.js';

/**
 * The key of the header, bare or as a quoted string (structured field); both forms of one key are the same
 * key.
 */
export function parseIdempotencyKey(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const trimmed = header.trim();
  const key = /^"(.*)"$/.exec(trimmed)?.[1] ?? trimmed;
  const good = /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(key) && key.length <= orderLimits.idempotencyKeyLengthMax;
  return good ? key : undefined;
}

/**
 * SHA-256 of the body with its fields sorted: equal requests have equal digests, whatever the order of their
 * fields.
 */
export function fingerprintOf(body: unknown): Uint8Array {
  return createHash('sha256').update(canonical(body)).digest();
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value)
    .filter(([, one]) => one !== undefined)
    .toSorted(([left], [right]) => (left < right ? -1 : 1));
  return `{${fields.map(([name, one]) => `${JSON.stringify(name)}:${canonical(one)}`).join(',')}}`;
}
