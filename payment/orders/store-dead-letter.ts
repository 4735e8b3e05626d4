import type { SqlSession } from '#platform/sql/sql.js';
import type { PaymentDeadLetter } from '#schemas/messages.js';
import { paymentDeadLetter } from '#schemas/topics.js';
import { addToOutbox } from '../outbox/outbox.js';

/** For a person, in the table that finance works on and in the topic that others read. */
export async function storeDeadLetter(tx: SqlSession, letter: PaymentDeadLetter): Promise<void> {
  await insert(tx, letter, true);
  await addToOutbox(tx, paymentDeadLetter.name, letter.subjectId, letter);
}

/** Nobody needs to act, for instance on a declined card: it can be inspected and is not announced. */
export async function storeClosedLetter(tx: SqlSession, letter: PaymentDeadLetter): Promise<void> {
  await insert(tx, letter, false);
}

async function insert(
  tx: SqlSession,
  { subject, subjectId, cause, attempts, occurredMs }: PaymentDeadLetter,
  needsPerson: boolean,
): Promise<void> {
  await tx.query(
    `INSERT INTO payment_dead_letters (kind, subject_id, cause, attempts, at, needs_person)
     VALUES ($1, $2, $3, $4, $5, $6)`,
    [subject, subjectId, cause, attempts, new Date(occurredMs), needsPerson],
  );
}
