// A function for each kind of column: a loop that meets several kinds of arrays is many times slower.

/** The entries of `column` at the places in `order`. */
export function pickFloat64(column: Float64Array, order: Uint32Array): Float64Array {
  const picked = new Float64Array(order.length);
  for (let i = 0; i < order.length; i++) picked[i] = column[order[i]];
  return picked;
}

export function pickInt32(column: Int32Array, order: Uint32Array): Int32Array {
  const picked = new Int32Array(order.length);
  for (let i = 0; i < order.length; i++) picked[i] = column[order[i]];
  return picked;
}

export function pickUint32(column: Uint32Array, order: Uint32Array): Uint32Array {
  const picked = new Uint32Array(order.length);
  for (let i = 0; i < order.length; i++) picked[i] = column[order[i]];
  return picked;
}

export function pickUint16(column: Uint16Array, order: Uint32Array): Uint16Array {
  const picked = new Uint16Array(order.length);
  for (let i = 0; i < order.length; i++) picked[i] = column[order[i]];
  return picked;
}

export function pickUint8(column: Uint8Array, order: Uint32Array): Uint8Array {
  const picked = new Uint8Array(order.length);
  for (let i = 0; i < order.length; i++) picked[i] = column[order[i]];
  return picked;
}
