import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { ClientTls } from '../config/connection-security.js';
import { inAwakeTime } from '../lifecycle/in-awake-time.js';
import type { WatchQueue } from '../telemetry/bounded-queue.js';
import { traced } from '../telemetry/tracing.js';
import { applyMigrations } from './apply-migrations.js';
import { sqlLimits } from './limits.js';
import { PgCopyIn } from './pg-copy-in.js';
import { explained } from './pg-fault.js';
import { run } from './pg-run.js';
import { transact, Unusable } from './pg-transaction.js';
import { pgTypes } from './pg-types.js';
import {
  type CopyIn,
  isDeadlockOrConflict,
  type Migration,
  type Sql,
  type SqlResult,
  type SqlRow,
  type SqlTransaction,
  SqlUnavailable,
  type SqlValue,
  type TransactionOptions,
} from './sql.js';
import { hasForgotten, isStalePlan, StatementNames } from './statement-names.js';
import { withTraceKept } from './traced-statement.js';

export interface PostgresServer {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password?: string;
  readonly tls?: ClientTls;
}

export interface PostgresDeps {
  readonly connectionsMax: number;
  readonly statementTimeoutMs: number;
  /** 0 ≤ random < 1, for the waits between attempts. */
  readonly random: () => number;
  readonly watchQueue?: WatchQueue;
  /** Receives the errors of idle connections that were lost. */
  readonly onError: (error: Error) => void;
  /** Runs after the last connection was closed; the embedded server stops here. */
  readonly onClosed?: () => Promise<void>;
}

/** PostgreSQL over a bounded pool, for a network server or the embedded one. */
export class PostgresSql implements Sql {
  readonly #pool: pg.Pool;
  readonly #server: PostgresServer;
  readonly #where: string;
  readonly #deps: PostgresDeps;
  readonly #names = new StatementNames();
  #closing: Promise<void> | undefined;

  constructor(server: PostgresServer, deps: PostgresDeps) {
    this.#server = server;
    this.#where = `${server.host}:${server.port}/${server.database}`;
    this.#deps = deps;
    this.#pool = new pg.Pool({
      ...this.#connection(),
      max: deps.connectionsMax,
      connectionTimeoutMillis: sqlLimits.acquireTimeoutMs,
      idleTimeoutMillis: sqlLimits.idleConnectionMs,
      statement_timeout: deps.statementTimeoutMs,
      query_timeout: deps.statementTimeoutMs + sqlLimits.answerGraceMs,
      idle_in_transaction_session_timeout: sqlLimits.idleInTransactionTimeoutMs,
    });
    deps.watchQueue?.('database connections', () => this.#pool.waitingCount, sqlLimits.waitingMax);
    this.#pool.on('error', (error) => deps.onError(error));
    // Between the pool and its caller a connection has no listener for an instant, and the server may
    // announce its end just then. Without this listener, that message ends the process. The caller gets the
    // error from its first statement.
    this.#pool.on('connect', (client) => client.on('error', () => {}));
  }

  async query<Row extends SqlRow = SqlRow>(
    text: string,
    values: readonly SqlValue[] = [],
  ): Promise<SqlResult<Row>> {
    const once = () =>
      this.#withClient((client) => withTraceKept(client, () => run<Row>(client, this.#names, text, values)));
    return once().catch((error: unknown) => {
      if (!isStalePlan(error)) throw error;
      return once();
    });
  }

  async transaction<Result>(
    work: (tx: SqlTransaction) => Promise<Result>,
    options: TransactionOptions = {},
  ): Promise<Result> {
    const attempts = Math.min(
      options.attempts ?? sqlLimits.transactionAttemptsDefault,
      sqlLimits.transactionAttemptsMax,
    );
    const { statementTimeoutMs } = options;
    if (
      statementTimeoutMs !== undefined &&
      !(statementTimeoutMs >= 1 && statementTimeoutMs <= sqlLimits.statementTimeoutMsMax)
    )
      throw new RangeError(
        `statementTimeoutMs is ${statementTimeoutMs}; ` +
          `it must be from 1 to ${sqlLimits.statementTimeoutMsMax}`,
      );
    const begin = `BEGIN ISOLATION LEVEL ${(options.isolation ?? 'read committed').toUpperCase()}`;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await traced('transaction', {}, () =>
          this.#withClient((client) => transact(client, this.#names, begin, work, statementTimeoutMs)),
        );
      } catch (error) {
        if (!(isDeadlockOrConflict(error) || isStalePlan(error)) || attempt >= attempts) throw error;
      }
      await delay(
        this.#deps.random() * Math.min(sqlLimits.retryDelayMs * 2 ** attempt, sqlLimits.retryDelayMsMax),
      );
    }
  }

  async copyIn(statement: string, work: (copy: CopyIn) => Promise<unknown>): Promise<void> {
    await this.#withClient(async (client) => {
      const copy = new PgCopyIn(client, statement, undefined);
      try {
        await work(copy);
      } finally {
        await copy.giveUp();
      }
      await copy.finished;
    });
  }

  async migrate(schema: string, migrations: readonly Migration[]): Promise<void> {
    // A separate connection without statement timeouts, because building an index may take long.
    const client = new pg.Client({
      ...this.#connection(),
      connectionTimeoutMillis: sqlLimits.acquireTimeoutMs,
    });
    client.on('error', (error) => this.#deps.onError(error));
    try {
      await client.connect();
      await applyMigrations(client, schema, migrations);
    } catch (error) {
      throw explained(error, this.#where);
    } finally {
      await client.end().catch(() => {});
    }
  }

  async check(): Promise<void> {
    const { checkTimeoutMs } = sqlLimits;
    await inAwakeTime(
      checkTimeoutMs,
      // A durable write that no table needs; it fails on a standby and on a full disk.
      this.query(`SELECT pg_logical_emit_message(true, 'meridian', 'check')`),
      () => new SqlUnavailable(`PostgreSQL at ${this.#where} did not answer in ${checkTimeoutMs} ms.`),
    );
  }

  /** Waits for the statements in progress. Safe to call twice. */
  close(): Promise<void> {
    this.#closing ??= this.#pool.end().then(() => this.#deps.onClosed?.());
    return this.#closing;
  }

  async #withClient<Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    if (this.#pool.waitingCount >= sqlLimits.waitingMax) {
      throw new SqlUnavailable(
        `PostgreSQL at ${this.#where} is too slow: ${sqlLimits.waitingMax} calls are already waiting.`,
      );
    }
    try {
      const client = await this.#pool.connect();
      let broken: Error | undefined;
      const onError = (error: Error) => {
        broken = error;
      };
      client.on('error', onError);
      try {
        return await work(client);
      } catch (error) {
        // A connection is valid, with its prepared statements, only if PostgreSQL itself has answered on it.
        if (explained(error, '') !== error || error instanceof Unusable || hasForgotten(error))
          broken = error as Error;
        throw error instanceof Unusable ? error.cause : error;
      } finally {
        client.off('error', onError);
        client.release(broken);
      }
    } catch (error) {
      throw explained(error, this.#where);
    }
  }

  #connection(): pg.ClientConfig {
    const { host, port, database, user, password, tls } = this.#server;
    return {
      host,
      port,
      database,
      user,
      ...(password === undefined ? {} : { password }),
      ssl: tls ?? false,
      types: pgTypes,
      application_name: 'meridian',
      // A server may be configured to answer a commit before it is durable. Our commits are durable.
      options: '-c synchronous_commit=on',
      keepAlive: true,
    };
  }
}
