/** The work that an event comes from, if it is traced. See `platform/sql/traced-statement.ts`. */
export const traceOfAnEvent = `
ALTER TABLE hotel_outbox ADD COLUMN traceparent text
  DEFAULT nullif(current_setting('meridian.traceparent', true), '');
`;
