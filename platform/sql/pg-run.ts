import type pg from 'pg';
import { beginWith } from './begin-with.js';
import type { SqlResult, SqlRow, SqlValue } from './sql.js';
import { isStalePlan, type StatementNames } from './statement-names.js';
import { tracedStatement } from './traced-statement.js';

/**
 * `begin`: the statement is the first of a transaction, and both are one message to the server.
 * `answerTimeoutMs`: of the connection where it is not given.
 */
export async function run<Row extends SqlRow>(
  client: pg.PoolClient,
  names: StatementNames,
  text: string,
  values: readonly SqlValue[],
  { begin, answerTimeoutMs }: { readonly begin?: string; readonly answerTimeoutMs?: number | undefined } = {},
): Promise<SqlResult<Row>> {
  // Without values the text may be several statements, which have no common plan.
  const name = values.length === 0 ? undefined : names.nameOf(text);
  const query = {
    text,
    values: values as SqlValue[],
    ...(name === undefined ? {} : { name }),
    ...(answerTimeoutMs === undefined ? {} : { query_timeout: answerTimeoutMs }),
  };
  const send = (): Promise<pg.QueryResult> =>
    begin === undefined
      ? client.query(query)
      : values.length > 0
        ? beginWith(client, begin, query)
        : client.query(`${begin}; ${text}`).then((results) => (results as unknown as pg.QueryResult[])[1]!);
  const result = await tracedStatement(text, send).catch((error: unknown) => {
    if (isStalePlan(error)) names.renew();
    throw error;
  });
  return { rows: result.rows as Row[], rowCount: result.rowCount ?? 0 };
}
