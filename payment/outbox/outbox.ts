import type { SqlSession } from '#platform/sql/sql.js';
import type {
  PaymentDeadLetter,
  PaymentNotice,
  PaymentOrderChanged,
  PaymentRetry,
} from '#schemas/messages.js';
import { paymentDeadLetter, paymentNotice, paymentOrderLifecycle, paymentRetry } from '#schemas/topics.js';
import { orderLimits } from '../settings/order-limits.js';

/** The topics to which payment publishes, and their messages. */
interface Messages {
  readonly [paymentOrderLifecycle.name]: PaymentOrderChanged;
  readonly [paymentRetry.name]: PaymentRetry;
  readonly [paymentDeadLetter.name]: PaymentDeadLetter;
  readonly [paymentNotice.name]: PaymentNotice;
}

/**
 * Writes a message in the same transaction as the change that it describes; the relay sends it to the log. A
 * message whose event id exists already is not written, so a deterministic event id makes it exactly one.
 */
export async function addToOutbox<Topic extends keyof Messages>(
  tx: SqlSession,
  topic: Topic,
  key: string,
  message: Messages[Topic],
): Promise<void> {
  await addAllToOutbox(tx, topic, [{ key, message }]);
}

/** The same for many messages, in their order. */
export async function addAllToOutbox<Topic extends keyof Messages>(
  tx: SqlSession,
  topic: Topic,
  messages: ReadonlyArray<{ readonly key: string; readonly message: Messages[Topic] }>,
): Promise<void> {
  if (messages.length === 0) return;
  await tx.query(
    `INSERT INTO payment_outbox (event_id, topic, key, payload, created_at)
     SELECT u.event_id, $1, u.key, u.payload, u.at
     FROM unnest($2::text[], $3::text[], $4::jsonb[], $5::timestamptz[]) WITH ORDINALITY u(event_id, key, payload, at, n) ORDER BY n
     ON CONFLICT (event_id) DO NOTHING`,
    [
      topic,
      messages.map(({ message }) => message.eventId),
      messages.map(({ key }) => key),
      messages.map(({ message }) => JSON.stringify(message)),
      messages.map(({ message }) => new Date(message.occurredMs)),
    ],
  );
}

/**
 * Deletes messages that were sent to the log longer ago than the retention. Resolves with whether there are
 * more.
 */
export async function forgetSent(session: SqlSession, nowMs: number, retentionMs: number): Promise<boolean> {
  const { rowCount } = await session.query(
    'DELETE FROM payment_outbox WHERE id IN ' +
      `(SELECT id FROM payment_outbox WHERE sent_at < $1 LIMIT ${orderLimits.forgottenAtOnce})`,
    [new Date(nowMs - retentionMs)],
  );
  return rowCount === orderLimits.forgottenAtOnce;
}
