import {
  type CopyIn,
  type Migration,
  type Sql,
  type SqlSession,
  type SqlTransaction,
  SqlUnavailable,
  type TransactionOptions,
} from '#platform/sql/sql.js';
import type { VirtualClock } from './virtual-clock.js';

/**
 * The database as one process sees it: the real one, until the process crashes. Then the server rolls back an
 * open transaction, and no process receives the result of a commit.
 */
export class CrashableSql implements Sql {
  readonly #sql: Sql;
  readonly #clock: VirtualClock;
  readonly #isUnavailable: () => boolean;
  isCrashed = false;
  /** Crashes before this many more statements; never when absent. */
  crashesIn: number | undefined;
  onCrash: () => void = () => {};

  constructor(sql: Sql, clock: VirtualClock, isUnavailable: () => boolean) {
    this.#sql = sql;
    this.#clock = clock;
    this.#isUnavailable = isUnavailable;
  }

  query: Sql['query'] = async (text, values) => {
    this.#count();
    return this.#deliver(await this.#clock.during(this.#sql.query(text, values)));
  };

  async transaction<Result>(
    work: (tx: SqlTransaction) => Promise<Result>,
    options?: TransactionOptions,
  ): Promise<Result> {
    this.#requireRunning();
    const done = this.#sql.transaction((tx) => {
      const query: SqlSession['query'] = async (text, values) => {
        this.#count();
        return tx.query(text, values);
      };
      const copyIn: SqlTransaction['copyIn'] = (statement) => {
        this.#count();
        return tx.copyIn(statement);
      };
      return work({ query, copyIn });
    }, options);
    return this.#deliver(await this.#clock.during(done));
  }

  async copyIn(statement: string, work: (copy: CopyIn) => Promise<unknown>): Promise<void> {
    this.#count();
    return this.#deliver(await this.#clock.during(this.#sql.copyIn(statement, work)));
  }

  migrate(schema: string, migrations: readonly Migration[]): Promise<void> {
    return this.#sql.migrate(schema, migrations);
  }

  check(): Promise<void> {
    return this.#sql.check();
  }

  async close(): Promise<void> {}

  #requireRunning(): void {
    if (this.isCrashed) throw new SqlUnavailable('The process has crashed.');
    if (this.#isUnavailable()) throw new SqlUnavailable('The database is unavailable.');
  }

  #count(): void {
    this.#requireRunning();
    if (this.crashesIn === undefined) return;
    this.crashesIn -= 1;
    if (this.crashesIn > 0) return;
    this.crashesIn = undefined;
    this.isCrashed = true;
    this.onCrash();
    throw new SqlUnavailable('The process has crashed.');
  }

  /** A crashed process receives no results. */
  #deliver<Result>(result: Result): Result | Promise<Result> {
    return this.isCrashed ? new Promise<Result>(() => {}) : result;
  }
}
