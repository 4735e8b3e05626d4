import type { ColumnBuffer } from '../tiles/cell-columns.js';

/** From this size on the C library, whose threshold grows up to 32 MiB, maps memory of its own. */
const MAPPED_BYTES_LEAST = 33 * 2 ** 20;

/** A column of which the kernel provides only the pages that are written, when they are. */
export const mappedColumn: ColumnBuffer = (_, bytes) =>
  new SharedArrayBuffer(Math.max(MAPPED_BYTES_LEAST, bytes));
