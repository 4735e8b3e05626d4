import { setFlagsFromString } from 'node:v8';

/** How much the heap of a thread grows past what was live at its last collection, before the next. */
const growingPercent = 50;

/**
 * V8 lets a large heap grow to four times its live size between two collections, and its pages stay resident.
 * A program with a hundred megabytes of live objects then takes several hundred.
 */
export const limitHeapGrowth = (): void => setFlagsFromString(`--heap-growing-percent=${growingPercent}`);
