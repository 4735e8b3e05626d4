import type { SqlSession } from '#platform/sql/sql.js';
import type {
  PaymentDeadLetter,
  PaymentNotice,
  PaymentOrderChanged,
  PaymentRetry,
} from '#schemas/messages.js';
import { paymentDeadLetter, paymentNotice, paymentOrderLifecycle, paymentRetry } from '#schemas/topics.js';

/** The topics that a payment tells of, and what is said there. */
interface Messages {
  readonly [paymentOrderLifecycle.name]: PaymentOrderChanged;
  readonly [paymentRetry.name]: PaymentRetry;
  readonly [paymentDeadLetter.name]: PaymentDeadLetter;
  readonly [paymentNotice.name]: PaymentNotice;
}

/**
 * Writes a message beside the change that it tells of, in the same transaction; the relay brings it to the log. An event id that stands
 * already is kept as it is, which makes "once" a matter of naming.
 */
export async function tell<Topic extends keyof Messages>(
  tx: SqlSession,
  topic: Topic,
  key: string,
  message: Messages[Topic],
): Promise<void> {
  await tx.query(
    `INSERT INTO payment_outbox (event_id, topic, key, payload, created_at) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (event_id) DO NOTHING`,
    [message.eventId, topic, key, JSON.stringify(message), new Date(message.occurredMs)],
  );
}
