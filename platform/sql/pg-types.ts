import pg from 'pg';

type Parse = (text: string) => unknown;
type TypeId = Parameters<typeof pg.types.getTypeParser>[0];

const asText: Parse = (text) => text;
const { builtins } = pg.types;

/** PostgreSQL's own numbers of types: `select oid, typname from pg_type`. */
const int8Array = 1016;
const numericArray = 1231;
const dateArray = 1182;
const timestampArray = 1115;
const textArray = 1009;

const parseTextArray = pg.types.getTypeParser(textArray as TypeId) as (text: string) => Array<string | null>;

const parsers = new Map<number, Parse>([
  [builtins.INT8, BigInt],
  [int8Array, (text) => parseTextArray(text).map((item) => (item === null ? null : BigInt(item)))],
  // A date as midnight of the machine's zone is another day in another zone.
  [builtins.DATE, asText],
  [builtins.TIMESTAMP, asText],
  [builtins.NUMERIC, asText],
  [dateArray, parseTextArray],
  [timestampArray, parseTextArray],
  [numericArray, parseTextArray],
]);

/** The types of one pool; `pg`'s own table is shared by everything in the process and stays as it is. */
export const pgTypes = {
  getTypeParser: (typeId: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && parsers.get(typeId)) ||
    pg.types.getTypeParser(typeId as TypeId, format as 'text'),
} as pg.CustomTypesConfig;
