import { mappedBytesLeast } from '../arrays/mapped-buffer.js';
import type { ColumnBuffer } from '../tiles/cell-columns.js';

/** A column of which the kernel provides only the pages that are written, when they are. */
export const mappedColumn: ColumnBuffer = (_, bytes) =>
  new SharedArrayBuffer(Math.max(mappedBytesLeast, bytes));
