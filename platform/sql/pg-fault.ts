import { SqlUnavailable, sqlState } from './sql.js';

/**
 * Connections gone or refused (08, 53, 57P), a statement or lock that took too long (57014, 55P03), an idle
 * transaction ended (25P03).
 */
const temporary = /^(08|53|57P)|^(57014|55P03|25P03)$/;
/**
 * What Node's sockets and `pg` itself say when there is no server behind a connection. A Unix socket may be
 * missing or its queue full; a missing file that a transaction reads is another matter.
 */
const connection = new RegExp(
  [
    '^(ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)',
    '^connect (ENOENT|EAGAIN)',
    'Connection terminated',
    'timeout exceeded',
    'Query read timeout',
    'not queryable',
    'after calling end',
  ].join('|'),
);

export function isDeadlockOrConflict(error: unknown): boolean {
  return sqlState(error) === '40P01' || sqlState(error) === '40001';
}

/** Turns what is only away into `SqlUnavailable`; PostgreSQL's refusals stay as they are. */
export function explained(error: unknown, where: string): unknown {
  if (!(error instanceof Error) || error instanceof SqlUnavailable) return error;
  const state = sqlState(error);
  const code = 'code' in error ? String(error.code) : '';
  const away =
    state === undefined ? connection.test(code) || connection.test(error.message) : temporary.test(state);
  if (!away) return error;
  return new SqlUnavailable(`PostgreSQL at ${where} failed: ${error.message || code}`, {
    cause: error,
  });
}
