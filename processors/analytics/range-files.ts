import type { ObjectStore } from '#platform/object-store/object-store.js';
import { type Column, parquetFile } from './parquet-file.js';

export interface Table<Row> {
  /** Folder of its files. */
  readonly name: string;
  readonly columns: readonly Column<Row>[];
  /** UTC day, `2026-11-21`, and area of a row, which select its folders; both are `[a-z0-9-]`. */
  readonly placeOf: (row: Row) => { readonly day: string; readonly area: string };
  readonly compare: (a: Row, b: Row) => number;
}

/** Records of one partition, `to` included. */
interface OffsetRange {
  readonly partition: number;
  readonly from: number;
  readonly to: number;
}

const root = 'analytics';
const digits = (value: number, count: number): string => String(value).padStart(count, '0');

/** `edge-speeds/2026-11-21/u628/00003-000000000000017-000000000000940.parquet` below `analytics/`. */
const fileKey = (table: string, day: string, area: string, { partition, from, to }: OffsetRange): string =>
  `${root}/${table}/${day}/${area}/${digits(partition, 5)}-${digits(from, 15)}-${digits(to, 15)}.parquet`;

/** One small object for each range with all its files: `written` reads these. */
const rangeFolder = (table: string, partition: number): string =>
  `${root}/ranges/${table}/${digits(partition, 5)}/`;
const rangeKey = (table: string, { partition, from, to }: OffsetRange): string =>
  `${rangeFolder(table, partition)}${digits(to, 15)}-${digits(from, 15)}.json`;

/**
 * Writes what a range of records adds to a table, once in effect: files are named by the range, so that a
 * replay writes the same files again. A completely written range is not written again, even by a group that
 * lost its state and starts in the middle of it. Rejects when the store is unavailable; the same call may be
 * repeated.
 */
export async function writeRange<Row>(
  objects: ObjectStore,
  table: Table<Row>,
  range: OffsetRange,
  rows: readonly Row[],
): Promise<'written' | 'known'> {
  if ((await lastRange(objects, table.name, range.partition)) >= range.to) return 'known';
  const byPlace = new Map<string, Row[]>();
  for (const row of rows.toSorted(table.compare)) {
    const { day, area } = table.placeOf(row);
    const key = fileKey(table.name, day, area, range);
    byPlace.set(key, [...(byPlace.get(key) ?? []), row]);
  }
  for (const [key, part] of byPlace) await objects.put(key, parquetFile(table.columns, part));
  const files = [...byPlace].map(([key, part]) => ({ key, rows: part.length }));
  await objects.put(rangeKey(table.name, range), Buffer.from(JSON.stringify({ ...range, files })));
  return 'written';
}

/** The last record that is in the table; -1 before the first. */
async function lastRange(objects: ObjectStore, table: string, partition: number): Promise<number> {
  let last = -1;
  const folder = rangeFolder(table, partition);
  for await (const key of objects.list(folder)) last = Number(key.slice(folder.length).split('-')[0]);
  return last;
}
