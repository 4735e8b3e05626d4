/** Bounds of the memory that an `.osm.pbf` file may require. The first two are the format's own. */
export const limits = {
  headerBytesMax: 64 * 2 ** 10,
  blobBytesMax: 32 * 2 ** 20,
  /**
   * A blob of more than `smallBlobBytes` that unpacks to more than this many times its size is no map. Maps
   * reach 2 to 5.
   */
  unpackRatioMax: 32,
  smallBlobBytes: 2 ** 20,
  /** Of one column of numbers in a block; a block of 8,000 elements, as all writers make, has some 40 KB. */
  columnBytesMax: 4 * 2 ** 20,
} as const;

/**
 * Bounds of an OsmChange file. OpenStreetMap's own API takes 2,000 nodes of a way, 32,000 members and 255
 * characters of a text.
 */
export const changeLimits = {
  /** Unpacked. A day of a large country has some 100 MiB. */
  bytesMax: 2 ** 30,
  elementsMax: 4_000_000,
  refsMax: 100_000,
  membersMax: 100_000,
  tagsMax: 5_000,
  textCharactersMax: 4_096,
  /** Between two tags of the XML. */
  silentCharactersMax: 2 ** 20,
  depthMax: 16,
} as const;
