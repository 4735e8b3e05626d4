/** Bounds of what an `.osm.pbf` file may ask of memory. The first two are the format's own. */
export const limits = {
  headerBytesMax: 64 * 2 ** 10,
  blobBytesMax: 32 * 2 ** 20,
  /** A blob of more than `smallBlobBytes` that unpacks to more than so many times its size is no map. Maps reach 2 to 5. */
  unpackRatioMax: 32,
  smallBlobBytes: 2 ** 20,
  /** Of one column of numbers in a block; a block of 8,000 elements, as all writers make, has some 40 KB. */
  columnBytesMax: 4 * 2 ** 20,
} as const;
