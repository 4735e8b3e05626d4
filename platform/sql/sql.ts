export type SqlValue = string | number | bigint | boolean | Date | Uint8Array | null | readonly SqlValue[];
export type SqlRow = Readonly<Record<string, unknown>>;

export interface SqlResult<Row extends SqlRow = SqlRow> {
  readonly rows: readonly Row[];
  /** Rows that an INSERT, UPDATE or DELETE touched. */
  readonly rowCount: number;
}

/**
 * Runs statements: the database itself, or one transaction of it. `bigint` columns come back as bigint;
 * `numeric`, `date`, `time` and `timestamp` (without zone) as text, because JavaScript has no value that
 * holds them exactly; `timestamptz` as Date.
 */
export interface SqlSession {
  query<Row extends SqlRow = SqlRow>(text: string, values?: readonly SqlValue[]): Promise<SqlResult<Row>>;
}

/**
 * A COPY of rows into a table. A transaction has one at a time, and no other statement until it has ended.
 */
export interface CopyIn {
  /**
   * Whole rows in the text format of COPY (fields parted by tabs, rows ended by LF, backslash escapes), or
   * bytes in the format that the statement names. Resolves when more may come.
   */
  write(rows: string | Uint8Array): Promise<void>;
  /**
   * Resolves with the number of rows. A copy that has not ended when the transaction's work is over is
   * cancelled and rolls it back.
   */
  end(): Promise<number>;
}

/** A session whose statements are committed or rolled back together. */
export interface SqlTransaction extends SqlSession {
  /**
   * Begins `COPY … FROM STDIN`: the fastest way for many rows. It ends after the time of a statement, as
   * others do. Statements before it are awaited.
   *
   * ```ts
   * const copy = tx.copyIn('COPY settlement_line (file_no, line_no) FROM STDIN');
   * await copy.write('1\t1\n1\t2\n');
   * await copy.end();
   * ```
   */
  copyIn(statement: string): CopyIn;
}

export interface Migration {
  /**
   * `0001-create-inventory`; the number orders, the name is for people. Never edited once it has run
   * anywhere.
   */
  readonly name: string;
  readonly sql: string;
  /** Of a baseline: the migrations that it replaces. They made the same schema step by step. */
  readonly replaces?: EarlierHistory;
}

/** A step of an earlier history. `commit`: PostgreSQL lets later steps use it only once it is committed. */
export interface UpgradeStep extends Migration {
  readonly commit?: true;
}

/**
 * A history that a baseline replaces. A database that has all of `recorded` is upgraded: the steps that it
 * lacks run, then the baseline is recorded instead of all of them. Any other database is refused.
 */
export interface EarlierHistory {
  /** What writes `recorded`, for the sentence of a refusal: `commit 1234567`. */
  readonly since: string;
  /** SHA-256 of each migration by its name, in their order. */
  readonly recorded: Readonly<Record<string, string>>;
  /** What came after them. */
  readonly steps: readonly UpgradeStep[];
}

export interface TransactionOptions {
  readonly isolation?: 'read committed' | 'repeatable read' | 'serializable';
  /** Attempts after a deadlock or serialization failure, with jitter; the default is 3. */
  readonly attempts?: number;
  /**
   * How long each statement may take, for work that is known to be long; at most an hour. The server and the
   * client time out together.
   */
  readonly statementTimeoutMs?: number;
}

/**
 * The relational store: PostgreSQL, as a server or as the embedded one that npm carries. It is PostgreSQL
 * either way.
 *
 * ```ts
 * await sql.migrate('hotel', migrations);
 * await sql.transaction(async (tx) => {
 *   await tx.query('UPDATE hotel SET name = $1 WHERE hotel_id = $2', ['Opera', 'h1']);
 * });
 * ```
 */
export interface Sql extends SqlSession {
  /**
   * Commits when `work` resolves, rolls back when it rejects. No network calls inside `work`, which runs
   * again after a deadlock or a serialization failure. When the connection breaks during the commit, the
   * outcome is unknown: this rejects with `SqlUnavailable` and does not try again.
   */
  transaction<Result>(
    work: (tx: SqlTransaction) => Promise<Result>,
    options?: TransactionOptions,
  ): Promise<Result>;
  /**
   * `COPY … FROM STDIN` as a transaction of its own, in one round trip to the server: committed when this
   * resolves. Statements before it in the text commit or roll back with it, and their rows are discarded.
   * `work` ends the copy; when it rejects before that, nothing has happened. Rejects when the connection
   * breaks before the answer, as `transaction` does.
   *
   * ```ts
   * await sql.copyIn('LOCK TABLE reading; COPY reading (n) FROM STDIN', async (copy) => {
   *   await copy.write('1\n2\n');
   *   await copy.end();
   * });
   * ```
   */
  copyIn(statement: string, work: (copy: CopyIn) => Promise<unknown>): Promise<void>;
  /**
   * Applies what has not run yet, in order, one transaction each, under a lock so that two processes may
   * start at once. `schema` names the history, one for each package with tables. Rejects with a sentence,
   * before anything runs, when a migration that ran was edited, renamed or removed, or when a new one is
   * numbered below it. A baseline replaces an earlier history, see `EarlierHistory`.
   */
  migrate(schema: string, migrations: readonly Migration[]): Promise<void>;
  check(): Promise<void>;
  close(): Promise<void>;
}

/**
 * This program must not use the database: a newer one has changed it, or its history differs. Another attempt
 * ends the same way.
 */
export class SchemaRefused extends Error {
  override readonly name = 'SchemaRefused';
  readonly retriable = false;
}

/**
 * The database is unavailable, all connections are in use, or the statement took too long. The same call may
 * succeed later. What PostgreSQL refuses permanently (a constraint, a syntax error) is another error, see
 * `sqlState`.
 */
export class SqlUnavailable extends Error {
  override readonly name = 'SqlUnavailable';
  readonly retriable = true;
}

/**
 * PostgreSQL's five-character code of an error, `23505` for a unique violation; undefined for errors that are
 * not its own.
 */
export function sqlState(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^(?=.*\d)[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

/** PostgreSQL undid the transaction in favour of another one, and the same one may succeed now. */
export function isDeadlockOrConflict(error: unknown): boolean {
  return sqlState(error) === '40P01' || sqlState(error) === '40001';
}

/** The same call may succeed later; over HTTP it is a 503. */
export const isTemporary = (error: unknown): boolean =>
  error instanceof SqlUnavailable || isDeadlockOrConflict(error);
