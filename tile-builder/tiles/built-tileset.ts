/** Stored routing tiles. */
export interface BuiltTileset {
  readonly tilesetId: string;
  readonly nodeCount: number;
  readonly edgeCount: number;
  readonly cellCount: number;
  readonly bytes: number;
  /** New tiles compared with the previous release. */
  readonly writtenTiles: number;
}
