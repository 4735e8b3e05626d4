/** What serves together. */
export interface ReleaseParts {
  readonly tilesetId: string;
  /** Null if no map was built: then only the roads are shown. */
  readonly mapId: string | null;
  /** Null if no index was built: then places are given by coordinates. */
  readonly geocodeId: string | null;
}
