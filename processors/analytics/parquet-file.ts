import { type BasicType, parquetWriteBuffer } from 'hyparquet-writer';

/** A column of a table; times are `Date`s. */
export interface Column<Row> {
  readonly name: string;
  readonly type: Extract<BasicType, 'STRING' | 'INT32' | 'DOUBLE' | 'TIMESTAMP'>;
  readonly of: (row: Row) => string | number | Date;
}

/**
 * A Parquet file (Snappy) of at least one row, no value of which is null. The same rows make the same bytes.
 */
export function parquetFile<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): Uint8Array {
  const file = parquetWriteBuffer({
    columnData: columns.map(({ name, type, of }) => ({ name, type, data: rows.map(of), nullable: false })),
    createdBy: 'meridian',
  });
  return new Uint8Array(file);
}
