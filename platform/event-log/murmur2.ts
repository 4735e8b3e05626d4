import { writeText } from './write-text.js';

/**
 * Kafka's default partitioner: the 32-bit murmur2 hash (Austin Appleby's, seed 0x9747b28c) of the key's UTF-8
 * bytes, its sign bit cleared, modulo the number of partitions. Java clients and kafkajs compute the same
 * number.
 */
export function partitionOf(key: string, partitions: number): number {
  const fits = key.length * 3 <= scratch.length;
  const bytes = fits ? scratch : Buffer.from(key, 'utf8');
  const length = fits ? writeText(key, scratch, 0) : bytes.length;
  return (murmur2(bytes, length) & 0x7fffffff) % partitions;
}

const scratch = Buffer.allocUnsafeSlow(512);

const MULTIPLIER = 0x5bd1e995;
const SHIFT = 24;
const SEED = 0x9747b28c;

/**
 * Signed 32-bit murmur2 of the first `length` bytes, as `org.apache.kafka.common.utils.Utils.murmur2` gives
 * it.
 */
export function murmur2(bytes: Uint8Array, length = bytes.length): number {
  let hash = SEED ^ length;
  let at = 0;
  for (; at + 4 <= length; at += 4) {
    let word = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
    word = Math.imul(word, MULTIPLIER);
    word ^= word >>> SHIFT;
    hash = Math.imul(hash, MULTIPLIER) ^ Math.imul(word, MULTIPLIER);
  }
  const rest = length - at;
  if (rest === 3) hash ^= bytes[at + 2]! << 16;
  if (rest >= 2) hash ^= bytes[at + 1]! << 8;
  if (rest >= 1) hash = Math.imul(hash ^ bytes[at]!, MULTIPLIER);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, MULTIPLIER);
  return hash ^ (hash >>> 15);
}
