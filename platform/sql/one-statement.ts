import { isDeadlockOrConflict, type Sql, type SqlSession } from './sql.js';

/**
 * Runs work of one statement, which is a transaction of its own and needs no round trips for its begin and
 * end. If it loses a deadlock or a conflict, nothing happened: it runs again as a transaction, which is
 * retried a bounded number of times, with jitter. Rejects as `Sql.transaction` does.
 */
export async function oneStatement<Result>(
  sql: Sql,
  work: (session: SqlSession) => Promise<Result>,
): Promise<Result> {
  try {
    return await work(sql);
  } catch (error) {
    if (!isDeadlockOrConflict(error)) throw error;
    return sql.transaction(work);
  }
}
