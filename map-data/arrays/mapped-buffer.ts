/**
 * Minimum size of a buffer that the C library (whose threshold grows up to 32 MiB) maps: the kernel provides
 * only written pages, and the process returns all of them when the buffer is free. Smaller ones are parts of
 * memory that the process keeps.
 */
export const mappedBytesLeast = 33 * 2 ** 20;

/** Smaller ones are not worth the address space, of which a process that builds many small maps runs out. */
const worthMapping = 2 ** 20;

const mappedBytes = (bytes: number): number =>
  bytes < worthMapping ? bytes : Math.max(bytes, mappedBytesLeast);

/** A buffer of at least this many bytes, all zero. The pages of a large one are returned when it is free. */
export const mappedBuffer = (bytes: number): ArrayBuffer => new ArrayBuffer(mappedBytes(bytes));

/** The same for several threads. */
export const sharedMappedBuffer = (bytes: number): SharedArrayBuffer =>
  new SharedArrayBuffer(mappedBytes(bytes));
