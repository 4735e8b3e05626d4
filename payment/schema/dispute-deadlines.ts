/** When the provider said until when a dispute can be answered. */
export const disputeDeadlines = `
ALTER TABLE payment_disputes ADD COLUMN evidence_due_said_at timestamptz;
COMMENT ON COLUMN payment_disputes.evidence_due_said_at IS
  'By the provider''s clock, so that an older message that arrives later does not move evidence_due_at back';
`;
