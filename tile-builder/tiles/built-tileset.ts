/** Routing tiles that are in the store. */
export interface BuiltTileset {
  readonly tilesetId: string;
  readonly nodeCount: number;
  readonly edgeCount: number;
  readonly cellCount: number;
  readonly bytes: number;
  /** Tiles that the previous release did not have. */
  readonly writtenTiles: number;
}
