import type { SqlValue } from '#platform/sql/sql.js';

const plain = /^[A-Za-z0-9_.:-]*$/;

/**
 * A `text[]` in the notation of PostgreSQL, `{a,b}`, joined at once if no value needs quotes. Otherwise the
 * values themselves, which the driver quotes one by one. Ids and amounts need none, and a call has thousands.
 */
export function textArray(values: readonly string[]): SqlValue {
  const isPlain =
    plain.test(values.join('')) && !values.some((value) => value === '' || /^null$/i.test(value));
  return isPlain ? `{${values.join()}}` : values;
}
