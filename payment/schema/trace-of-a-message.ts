/** The work that a message comes from, if it is traced. See `platform/sql/traced-statement.ts`. */
export const traceOfAMessage = `
ALTER TABLE payment_outbox ADD COLUMN traceparent text
  DEFAULT nullif(current_setting('meridian.traceparent', true), '');
`;
