import { sharedMappedBuffer } from '../arrays/mapped-buffer.js';
import type { ColumnBuffer } from '../tiles/cell-columns.js';

/** A column of which, if it is large, the kernel provides only the pages that are written, when they are. */
export const mappedColumn: ColumnBuffer = (_, bytes) => sharedMappedBuffer(bytes);
