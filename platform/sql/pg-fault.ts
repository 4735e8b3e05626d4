import { SqlUnavailable, sqlState } from './sql.js';

/**
 * Connections gone or refused (08, 53, 57P), a statement or lock that took too long (57014, 55P03), an idle
 * transaction ended (25P03).
 */
const temporary = /^(08|53|57P)|^(57014|55P03|25P03)$/;
/**
 * Errors of Node's sockets and of `pg` when a connection has no server. A Unix socket may be missing or its
 * queue full; a missing file that a transaction reads does not count.
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

/** Turns temporary failures into `SqlUnavailable`; PostgreSQL's own errors stay unchanged. */
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
