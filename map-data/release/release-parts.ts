/** What serves together. */
export interface ReleaseParts {
  readonly tilesetId: string;
  /** Null where no map was drawn: then the roads alone are shown. */
  readonly mapId: string | null;
  /** Null where no index was built: then places are named by coordinates. */
  readonly geocodeId: string | null;
}
