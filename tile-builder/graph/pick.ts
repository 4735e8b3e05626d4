// A function for each type of column: a loop over several types of arrays is many times slower.

/** The entries of `column` at the places in `order`, put into `picked`. */
export function pickFloat64(column: Float64Array, order: Uint32Array, picked: Float64Array): Float64Array {
  for (let i = 0; i < order.length; i++) picked[i] = column[order[i]];
  return picked;
}

export function pickInt32(column: Int32Array, order: Uint32Array, picked: Int32Array): Int32Array {
  for (let i = 0; i < order.length; i++) picked[i] = column[order[i]];
  return picked;
}

export function pickUint32(column: Uint32Array, order: Uint32Array, picked: Uint32Array): Uint32Array {
  for (let i = 0; i < order.length; i++) picked[i] = column[order[i]];
  return picked;
}

export function pickUint8(column: Uint8Array, order: Uint32Array, picked: Uint8Array): Uint8Array {
  for (let i = 0; i < order.length; i++) picked[i] = column[order[i]];
  return picked;
}
