import type { Sql } from '#platform/sql/sql.js';
import { noticeKind } from '#schemas/messages.js';
import { paymentNotice } from '#schemas/topics.js';
import { addToOutbox } from '../outbox/outbox.js';

/**
 * Publishes the chain head of the ledger, once for each batch. Someone who rewrites the past, with all its
 * seals and the chain, cannot take back what others have read. `meridian ledger verify --published` compares
 * the ledger with it.
 */
export async function publishRoot(sql: Sql, nowMs: number): Promise<void> {
  await sql.transaction(async (tx) => {
    const { rows } = await tx.query<{ readonly batch_no: bigint; readonly chain: Uint8Array }>(
      'SELECT batch_no, chain FROM ledger_chain_head WHERE batch_no > 0',
    );
    const [tip] = rows;
    if (tip === undefined) return;
    await addToOutbox(tx, paymentNotice.name, 'ledger-root', {
      eventId: `ledger-root:${tip.batch_no}`,
      kind: noticeKind.ledgerRoot,
      paymentOrderId: '',
      caller: '',
      detail: `${tip.batch_no} ${Buffer.from(tip.chain).toString('hex')}`,
      occurredMs: nowMs,
    });
  });
}
