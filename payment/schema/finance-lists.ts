/** What the finance console lists and looks up: payments of all sellers, and what belongs to one of them. */
export const financeLists = `
-- In a table whose rows never change: one entry for each order, at the end of the index. By an expression, so
-- that it is never chosen for the list of one seller, where it would read past the payments of all others.
CREATE INDEX merchant_payment_newest ON merchant_payment (timezone('UTC', created_at), payment_order_id);
CREATE INDEX payment_orders_reference ON payment_orders (psp_reference) WHERE psp_reference IS NOT NULL;
CREATE INDEX payment_webhooks_order ON payment_webhooks (payment_order_id) WHERE payment_order_id IS NOT NULL;
CREATE INDEX reconciliation_finding_order ON reconciliation_finding (payment_order_id)
  WHERE payment_order_id IS NOT NULL;
-- The audit log reads the newest of each record.
CREATE INDEX finance_decision_newest ON finance_decision (at);
CREATE INDEX finance_approval_newest ON finance_approval (at);
CREATE INDEX payment_refunds_newest ON payment_refunds (created_at);
CREATE INDEX payment_refunds_reviewed ON payment_refunds (reviewed_at) WHERE reviewed_at IS NOT NULL;
CREATE INDEX payout_newest ON payout (created_at);
CREATE INDEX payout_reviewed ON payout (reviewed_at) WHERE reviewed_at IS NOT NULL;
CREATE INDEX payment_risk_checks_of_people ON payment_risk_checks (at)
  WHERE decision IN ('proposed', 'approved', 'denied');
CREATE INDEX payment_dead_letters_retried ON payment_dead_letters (redriven_at) WHERE redriven_at IS NOT NULL;
CREATE INDEX dispute_answer_newest ON dispute_answer (answered_at);
CREATE INDEX dispute_document_newest ON dispute_document (added_at);
CREATE INDEX finance_decision_finding ON finance_decision (finding_no);
CREATE INDEX payment_dead_letters_subject ON payment_dead_letters (subject_id);
`;
