import type pg from 'pg';
import { traced, tracing } from '../telemetry/tracing.js';
import type { SqlSession } from './sql.js';

/** Of a statement's text in a span. Values are never in it. */
const textCharactersMax = 1_000;
/** What the outboxes read as the default of their column `traceparent`. */
const setting = 'meridian.traceparent';

/** A statement as a span, if it belongs to sampled work. */
export function tracedStatement<Result>(text: string, run: () => Promise<Result>): Promise<Result> {
  if (tracing()?.current() === undefined) return run();
  const operation = /^\s*(\w+)/.exec(text)?.[1]?.toUpperCase() ?? 'SQL';
  const attributes = {
    'db.system.name': 'postgresql',
    'db.operation.name': operation,
    'db.query.text': text.slice(0, textCharactersMax),
  };
  return traced(operation, { kind: 'client', attributes }, run);
}

const set = `SELECT set_config('${setting}', $1, $2)`;

/**
 * Lets what sampled work writes into an outbox carry its trace: PostgreSQL itself fills the column, also for
 * rows that triggers write. This is for a transaction, which forgets it by itself.
 */
export function keepTrace(transaction: SqlSession): Promise<unknown> | undefined {
  const trace = tracing()?.current();
  return trace === undefined ? undefined : transaction.query(set, [trace, true]);
}

/** The same for a statement of its own; two more round trips for what is sampled. */
export function withTraceKept<Result>(client: pg.PoolClient, work: () => Promise<Result>): Promise<Result> {
  const trace = tracing()?.current();
  // Every statement passes here: without a trace it waits for nothing more.
  return trace === undefined ? work() : keptAround(client, trace, work);
}

async function keptAround<Result>(
  client: pg.PoolClient,
  trace: string,
  work: () => Promise<Result>,
): Promise<Result> {
  await client.query(set, [trace, false]);
  try {
    return await work();
  } finally {
    await client.query(set, ['', false]);
  }
}
