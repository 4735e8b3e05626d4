import type { SqlValue } from '#platform/sql/sql.js';

const plain = /^[A-Za-z0-9_.:-]*$/;

/**
 * A `text[]` as PostgreSQL writes it, `{a,b}`, made in one go when nothing in it needs quotes; else the
 * values themselves, which the driver quotes one by one. Ids and amounts are plain, and there are thousands
 * of them in a call.
 */
export function textArray(values: readonly string[]): SqlValue {
  const isPlain =
    plain.test(values.join('')) && !values.some((value) => value === '' || /^null$/i.test(value));
  return isPlain ? `{${values.join()}}` : values;
}
