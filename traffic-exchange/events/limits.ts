/** Bounds of what is read from a feed. */

/** Unpacked. The work zones of a large state have some 20 MiB. */
export const feedBytesMax = 64 * 2 ** 20;
/** A feed with more events is refused as a whole. */
export const eventsMax = 20_000;
/** An event with more is skipped. */
export const positionsMax = 5_000;
export const placesMax = 64;
export const periodsMax = 400;
/** Characters of an id; a longer one is skipped. */
export const idCharactersMax = 256;
/** Characters that are kept of a description. */
export const descriptionCharactersMax = 200;
/** JSON in JSON, and tags in tags. */
export const depthMax = 32;
/** XML elements of one situation, which are in memory together, and characters of one text. */
export const elementsMax = 200_000;
export const textCharactersMax = 2 ** 20;
/** No speed limit lies beyond these. */
export const speedKphMin = 5;
export const speedKphMax = 200;
