const shared = (bytes: number): SharedArrayBuffer => new SharedArrayBuffer(bytes);

/** Typed arrays that worker threads read without a copy. */
export const sharedUint8 = (length: number) => new Uint8Array(shared(length));
export const sharedUint32 = (length: number) => new Uint32Array(shared(4 * length));
export const sharedInt32 = (length: number) => new Int32Array(shared(4 * length));
export const sharedFloat64 = (length: number) => new Float64Array(shared(8 * length));
