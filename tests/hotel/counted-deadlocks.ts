import type { Sql, SqlRow, SqlSession, SqlValue } from '#platform/sql/sql.js';
import { sqlState } from '#platform/sql/sql.js';

/**
 * The same database, and how many statements PostgreSQL ended because of a deadlock: the service and
 * `transaction` try again after one, so callers do not see it.
 */
export function countDeadlocks(database: Sql): { readonly sql: Sql; readonly deadlocks: () => number } {
  let deadlocks = 0;
  const querying = (session: SqlSession) => ({
    query: <Row extends SqlRow>(text: string, values?: readonly SqlValue[]) =>
      session.query<Row>(text, values).catch((error: unknown) => {
        if (sqlState(error) === '40P01') deadlocks += 1;
        throw error;
      }),
  });
  const sql: Sql = {
    ...querying(database),
    transaction: (work, options) =>
      database.transaction(
        (tx) => work({ ...querying(tx), copyIn: (statement) => tx.copyIn(statement) }),
        options,
      ),
    copyIn: (...given) => database.copyIn(...given),
    migrate: (...given) => database.migrate(...given),
    check: () => database.check(),
    close: () => database.close(),
  };
  return { sql, deadlocks: () => deadlocks };
}
