export type SqlValue = string | number | bigint | boolean | Date | Uint8Array | null | readonly SqlValue[];
export type SqlRow = Readonly<Record<string, unknown>>;

export interface SqlResult<Row extends SqlRow = SqlRow> {
  readonly rows: readonly Row[];
  /** Rows that an INSERT, UPDATE or DELETE touched. */
  readonly rowCount: number;
}

/** Runs statements: the database itself, or one transaction of it. `bigint` columns come back as bigint. */
export interface SqlSession {
  query<Row extends SqlRow = SqlRow>(text: string, values?: readonly SqlValue[]): Promise<SqlResult<Row>>;
}

export interface Migration {
  /** `0001-create-inventory`; the number orders, the name is for people. Never edited once it has run anywhere. */
  readonly name: string;
  readonly sql: string;
}

export interface TransactionOptions {
  readonly isolation?: 'read committed' | 'repeatable read' | 'serializable';
  /** Attempts after a deadlock or serialization failure, with jitter; the default is 3. */
  readonly attempts?: number;
}

/**
 * The relational store: PostgreSQL, as a server or as the embedded one that npm carries. It is PostgreSQL either way.
 *
 * ```ts
 * await sql.migrate('hotel', migrations);
 * await sql.transaction(async (tx) => {
 *   await tx.query('UPDATE room_type_inventory SET total_reserved = total_reserved + $1 WHERE hotel_id = $2', [1, 'h1']);
 * });
 * ```
 */
export interface Sql extends SqlSession {
  /** Commits when `work` resolves, rolls back when it rejects. No network calls inside `work`. */
  transaction<Result>(
    work: (tx: SqlSession) => Promise<Result>,
    options?: TransactionOptions,
  ): Promise<Result>;
  /** Applies what has not run yet, in order, one transaction each, under a lock so that two processes may start at once. */
  migrate(schema: string, migrations: readonly Migration[]): Promise<void>;
  check(): Promise<void>;
  close(): Promise<void>;
}
