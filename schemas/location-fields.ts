/**
 * The fields of a location. The JSON reader, the Protobuf reader, the encoder and the decoder of the record,
 * the OpenAPI document and the client library derive from these values; a test compares them with
 * `proto/location.proto`.
 */

/** In the order of a tuple. Every location has them; each has its own type in every form of a batch. */
export const requiredLocationFields = [
  /** Degrees; 1e-7 degrees as a column. */
  { name: 'lat', column: 'latE7', number: 4, least: -90, most: 90 },
  { name: 'lng', column: 'lngE7', number: 5, least: -180, most: 180 },
  /** Unix milliseconds of the client's clock, whole. */
  { name: 'timestamp', column: 'timeMs', number: 6 },
] as const;

type Columns = Readonly<Record<string, Float32Array | undefined>>;

/** What a location may have: a number of at least 0, kept as 1/`scale` of its unit, or one of a few names. */
export interface LocationField {
  /** In JSON and in the client library. */
  readonly name: string;
  /** In `LocationPoints`; the unit comes last. */
  readonly column: string;
  /** Of the Protobuf field, in `LocationBatch` and in `LocationUpload`. */
  readonly number: number;
  readonly scale: number;
  readonly most: number;
  /**
   * Reads the column from points. Each field has its own function, because a lookup by a computed name is
   * slow.
   */
  readonly of: (points: Columns) => Float32Array | undefined;
  /** The greatest value is equivalent to 0. */
  readonly circular?: true;
  /**
   * The field is one of these names in JSON and in the client library, and its index everywhere else. New
   * names are added at the end.
   */
  readonly values?: readonly string[];
  readonly description: string;
}

/** In the order of a tuple, after the required fields. New fields are added at the end. */
export const locationFields = [
  {
    name: 'accuracy',
    column: 'accuracyM',
    of: ({ accuracyM }) => accuracyM,
    number: 7,
    scale: 10,
    most: 100_000,
    description: 'Metres, radius of 68 % confidence.',
  },
  {
    name: 'speed',
    column: 'speedMps',
    of: ({ speedMps }) => speedMps,
    number: 8,
    scale: 100,
    most: 1_000,
    description: 'Metres per second over ground.',
  },
  {
    name: 'heading',
    column: 'headingDeg',
    of: ({ headingDeg }) => headingDeg,
    number: 9,
    scale: 10,
    most: 360,
    circular: true,
    description: 'Degrees clockwise from north.',
  },
  {
    name: 'mode',
    column: 'modeIndex',
    of: ({ modeIndex }) => modeIndex,
    number: 10,
    scale: 1,
    most: 2,
    values: ['driving', 'walking', 'bicycling'],
    description: 'How the user travels.',
  },
] as const satisfies readonly LocationField[];

type Field = (typeof locationFields)[number];
export type LocationFieldName = Field['name'];
export type LocationColumnName = Field['column'];

/** The optional fields of one location, as JSON and the client library have them. */
export type LocationFieldValues = {
  readonly [One in Field as One['name']]?: One extends { readonly values: readonly (infer Name)[] }
    ? Name
    : number;
};
