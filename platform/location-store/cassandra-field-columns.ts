import cassandra from 'cassandra-driver';
import { addLocationColumns, locationFieldColumns } from '#schemas/cql/locations.js';
import { writtenAt } from './cassandra-statements.js';
import type { FieldCodes } from './field-codes.js';

/**
 * A field that a point lacks is left unset: null would write a tombstone for each, and a page of a thousand
 * points would read thousands. So an earlier write of the same timestamp may leave a value behind. A value
 * counts only if it was written together with the point's latitude, which every write sets.
 */
export function columnsOf(codes: FieldCodes): unknown[] {
  return codes.map((code) => (code === 0 ? cassandra.types.unset : code - 1));
}

export function codesOfRow(row: cassandra.types.Row): FieldCodes | undefined {
  let known = false;
  const writtenMicros = String(row[writtenAt('lat_e7')]);
  const codes = locationFieldColumns.map(({ name }) => {
    const value = row[name] as number | null;
    if (value === null || String(row[writtenAt(name)]) !== writtenMicros) return 0;
    known = true;
    return value + 1;
  });
  return known ? codes : undefined;
}

/** Adds what a table of an earlier version lacks. Another process may do the same at the same time. */
export async function addFieldColumns(
  client: cassandra.Client,
  keyspace: string,
  selectColumns: string,
): Promise<void> {
  for (;;) {
    const { rows } = await client.execute(selectColumns, [keyspace]);
    const alter = addLocationColumns(
      keyspace,
      rows.map((row) => row['column_name'] as string),
    );
    if (alter === undefined) return;
    try {
      await client.execute(alter, [], { prepare: false });
    } catch (error) {
      if (!isConflict(error)) throw error;
    }
  }
}

/** The other process has added a column that this one found missing. */
function isConflict(error: unknown): boolean {
  return error instanceof cassandra.errors.ResponseError && /already exist|conflicts/.test(error.message);
}
