import type { Sql } from '#platform/sql/sql.js';

/**
 * The obvious method: a table of the file's lines, and the statements that an operator would write to compare
 * it with the orders.
 */
export async function preparePeer(sql: Sql): Promise<void> {
  await sql.query(`CREATE TABLE peer_line (
    kind text, payment_order_id text COLLATE "C", operation_id text COLLATE "C", psp_reference text, amount_minor bigint, fee_minor bigint,
    currency text, status text, occurred_at timestamptz)`);
}

/**
 * COPY by the server from a file that it can read, and one FULL OUTER JOIN. Answers with the operations that
 * differ.
 */
export async function copyAndJoin(sql: Sql, path: string): Promise<bigint> {
  return sql.transaction(async (tx) => {
    await tx.query(`SET LOCAL work_mem = '192MB'`);
    await tx.query('TRUNCATE peer_line');
    await tx.query(`COPY peer_line FROM '${path}' WITH (FORMAT csv)`);
    await tx.query('ANALYZE peer_line');
    const { rows } = await tx.query<{ count: bigint }>(
      `WITH own AS (
         SELECT payment_order_id, payment_order_id AS operation_id, amount_minor, currency FROM payment_orders
         WHERE payment_order_status = 'SUCCESS'
         UNION ALL
         SELECT payment_order_id, refund_id, amount_minor, currency FROM payment_refunds WHERE refund_status = 'SUCCESS'
       )
       SELECT count(*) FROM peer_line l FULL OUTER JOIN own o USING (payment_order_id, operation_id)
       WHERE l.amount_minor IS DISTINCT FROM o.amount_minor OR l.currency IS DISTINCT FROM o.currency OR l.status <> 'succeeded'`,
    );
    return rows[0]!.count;
  });
}
