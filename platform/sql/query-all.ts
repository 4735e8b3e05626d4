import type { SqlRow, SqlSession, SqlValue } from './sql.js';

/** The rows of each database, one after the other. */
export async function queryAll(
  databases: readonly SqlSession[],
  text: string,
  values: readonly SqlValue[],
): Promise<readonly SqlRow[]> {
  const answers = await Promise.all(databases.map((sql) => sql.query(text, values)));
  return answers.flatMap(({ rows }) => rows);
}
