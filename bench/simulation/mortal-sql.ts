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
 * The database as one process sees it: the real one, until the process dies. Then the server rolls back an
 * open transaction, and no process receives the result of a commit.
 */
export class MortalSql implements Sql {
  readonly #sql: Sql;
  readonly #clock: VirtualClock;
  readonly #isAway: () => boolean;
  isDead = false;
  /** Dies before this many more statements; never when absent. */
  diesIn: number | undefined;
  onDeath: () => void = () => {};

  constructor(sql: Sql, clock: VirtualClock, isAway: () => boolean) {
    this.#sql = sql;
    this.#clock = clock;
    this.#isAway = isAway;
  }

  query: Sql['query'] = async (text, values) => {
    this.#count();
    return this.#heard(await this.#clock.during(this.#sql.query(text, values)));
  };

  async transaction<Result>(
    work: (tx: SqlTransaction) => Promise<Result>,
    options?: TransactionOptions,
  ): Promise<Result> {
    this.#alive();
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
    return this.#heard(await this.#clock.during(done));
  }

  async copyIn(statement: string, work: (copy: CopyIn) => Promise<unknown>): Promise<void> {
    this.#count();
    return this.#heard(await this.#clock.during(this.#sql.copyIn(statement, work)));
  }

  migrate(schema: string, migrations: readonly Migration[]): Promise<void> {
    return this.#sql.migrate(schema, migrations);
  }

  check(): Promise<void> {
    return this.#sql.check();
  }

  async close(): Promise<void> {}

  #alive(): void {
    if (this.isDead) throw new SqlUnavailable('The process is dead.');
    if (this.#isAway()) throw new SqlUnavailable('The database is away.');
  }

  #count(): void {
    this.#alive();
    if (this.diesIn === undefined) return;
    this.diesIn -= 1;
    if (this.diesIn > 0) return;
    this.diesIn = undefined;
    this.isDead = true;
    this.onDeath();
    throw new SqlUnavailable('The process is dead.');
  }

  /** A dead process receives no results. */
  #heard<Result>(result: Result): Result | Promise<Result> {
    return this.isDead ? new Promise<Result>(() => {}) : result;
  }
}
