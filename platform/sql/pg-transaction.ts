import type pg from 'pg';
import { beginsAlone } from './begin-with.js';
import { sqlLimits } from './limits.js';
import { PgCopyIn } from './pg-copy-in.js';
import { explained } from './pg-fault.js';
import { run } from './pg-run.js';
import type { CopyIn, SqlResult, SqlRow, SqlTransaction, SqlValue } from './sql.js';
import type { StatementNames } from './statement-names.js';
import { keepTrace } from './traced-statement.js';

/** The state of the connection is unknown; it is closed instead of returned to the pool. */
export class Unusable extends Error {}

/**
 * Runs `work` in a transaction that begins with its first statement; without statements there is no
 * transaction. A statement timeout is set first.
 */
export async function transact<Result>(
  client: pg.PoolClient,
  names: StatementNames,
  begin: string,
  work: (tx: SqlTransaction) => Promise<Result>,
  statementTimeoutMs?: number,
): Promise<Result> {
  const answerTimeoutMs =
    statementTimeoutMs === undefined ? undefined : statementTimeoutMs + sqlLimits.answerGraceMs;
  const session = new PgTransaction(
    client,
    names,
    { begin, answerTimeoutMs },
    await beginsAlone(client, begin),
  );
  try {
    if (statementTimeoutMs !== undefined)
      await session.query(`SET LOCAL statement_timeout = ${statementTimeoutMs}`);
    const kept = keepTrace(session);
    if (kept !== undefined) await kept;
    const result = await work(session);
    if (await session.end('COMMIT')) return result;
  } catch (error) {
    await session.end('ROLLBACK').catch(() => {
      throw new Unusable('the rollback failed', { cause: error });
    });
    throw error;
  }
  throw new Error('The transaction was rolled back, because a statement in it had failed.');
}

class PgTransaction implements SqlTransaction {
  readonly #client: pg.PoolClient;
  readonly #names: StatementNames;
  readonly #begin: string;
  readonly #answerTimeoutMs: number | undefined;
  /**
   * The statement that was sent with BEGIN. PostgreSQL parses a message as a whole, so if it could not be
   * parsed there is no transaction, and later statements would run outside of one: they wait for its answer.
   */
  #first: Promise<unknown> | undefined;
  #state: 'unbegun' | 'beginning' | 'begun' | 'failed';
  #copy: PgCopyIn | undefined;
  #isOver = false;

  constructor(
    client: pg.PoolClient,
    names: StatementNames,
    { begin, answerTimeoutMs }: { readonly begin: string; readonly answerTimeoutMs: number | undefined },
    isBegun: boolean,
  ) {
    this.#client = client;
    this.#names = names;
    this.#begin = begin;
    this.#answerTimeoutMs = answerTimeoutMs;
    this.#state = isBegun ? 'begun' : 'unbegun';
  }

  async query<Row extends SqlRow>(text: string, values: readonly SqlValue[] = []): Promise<SqlResult<Row>> {
    this.#refuseWhenOver();
    const answerTimeoutMs = this.#answerTimeoutMs;
    if (this.#state === 'unbegun')
      return this.#beginBy(
        run<Row>(this.#client, this.#names, text, values, { begin: this.#begin, answerTimeoutMs }),
      );
    if (this.#state !== 'begun') {
      await this.#first?.catch(refuseWhatFollows);
      this.#refuseWhenOver();
    }
    return run<Row>(this.#client, this.#names, text, values, { answerTimeoutMs });
  }

  copyIn(statement: string): CopyIn {
    this.#refuseWhenOver();
    switch (this.#state) {
      case 'unbegun': {
        const copy = new PgCopyIn(this.#client, `${this.#begin}; ${statement}`, this.#answerTimeoutMs);
        this.#copy = copy;
        void this.#beginBy(copy.finished).catch(() => {});
        return copy;
      }
      case 'begun':
        this.#copy = new PgCopyIn(this.#client, statement, this.#answerTimeoutMs);
        return this.#copy;
      case 'beginning':
        throw new Error('Await every statement before a copy.');
      case 'failed':
        return refuseWhatFollows();
    }
  }

  /** False when everything was rolled back although COMMIT was requested. */
  async end(how: 'COMMIT' | 'ROLLBACK'): Promise<boolean> {
    this.#isOver = true;
    if (this.#state === 'unbegun') return true;
    await this.#copy?.giveUp();
    const { command } = await this.#client.query(how);
    // PostgreSQL answers ROLLBACK if a statement failed and `work` ignored that. After a message that it
    // could not read, there is no transaction.
    return command === how && this.#state === 'begun';
  }

  #refuseWhenOver(): void {
    if (this.#isOver)
      throw new Error('The transaction has ended: await every query and end every copy inside it.');
  }

  #beginBy<Outcome>(statement: Promise<Outcome>): Promise<Outcome> {
    this.#state = 'beginning';
    this.#first = statement;
    statement.then(
      () => {
        this.#state = 'begun';
      },
      () => {
        this.#state = 'failed';
      },
    );
    return statement;
  }
}

function refuseWhatFollows(cause?: unknown): never {
  // If the database is only unavailable, the caller can try again.
  if (explained(cause, '') !== cause) throw cause;
  throw new Error('The first statement of the transaction failed: it accepts no more statements.', { cause });
}
