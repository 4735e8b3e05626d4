/** With fewer items, counting digits takes longer than comparing keys. */
const COUNTED_LEAST = 400;
const DIGIT_BITS = 9;

/**
 * The items by ascending key; those with the same key keep their order. `keys[i]` is the key of `items[i]`,
 * below 2^keyBits, with at most 26 bits and 2^26 items. `keys` is overwritten.
 *
 * Many are sorted digit by digit, which compares nothing.
 */
export function sortByKey(items: Uint32Array, keys: Uint32Array, keyBits: number): Uint32Array {
  return items.length < COUNTED_LEAST ? compared(items, keys) : counted(items, keys, keyBits);
}

/** The index is the lower part of a number, because a comparator would be slow. */
function compared(items: Uint32Array, keys: Uint32Array): Uint32Array {
  const sorted = new Float64Array(keys.length);
  for (let i = 0; i < sorted.length; i++) sorted[i] = keys[i] * 2 ** 26 + i;
  sorted.sort();
  const result = new Uint32Array(sorted.length);
  for (let i = 0; i < sorted.length; i++) result[i] = items[sorted[i] % 2 ** 26];
  return result;
}

function counted(items: Uint32Array, keys: Uint32Array, keyBits: number): Uint32Array {
  let from = items.slice();
  let fromKeys: Uint32Array = keys;
  let to = new Uint32Array(items.length);
  let toKeys: Uint32Array = new Uint32Array(items.length);
  const next = new Uint32Array(2 ** DIGIT_BITS);
  for (let shift = 0; shift < keyBits; shift += DIGIT_BITS) {
    next.fill(0);
    for (let i = 0; i < from.length; i++) next[(fromKeys[i] >>> shift) & (next.length - 1)]++;
    let sum = 0;
    for (let digit = 0; digit < next.length; digit++) {
      const count = next[digit];
      next[digit] = sum;
      sum += count;
    }
    for (let i = 0; i < from.length; i++) {
      const place = next[(fromKeys[i] >>> shift) & (next.length - 1)]++;
      to[place] = from[i];
      toKeys[place] = fromKeys[i];
    }
    [from, to] = [to, from];
    [fromKeys, toKeys] = [toKeys, fromKeys];
  }
  return from;
}
