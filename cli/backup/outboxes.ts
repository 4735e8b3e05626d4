/**
 * Tables whose rows say what the event log has: a row is deleted or marked when its event was appended.
 * Nobody writes to them in the instant at which the log and the database are copied.
 */
export const outboxes = ['hotel_outbox', 'channel_pending', 'payment_outbox'] as const;
