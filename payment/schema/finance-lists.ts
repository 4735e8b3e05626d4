/** What the finance console lists and looks up: payments of all sellers, and what belongs to one of them. */
export const financeLists = `
-- In a table whose rows never change: one entry for each order, at the end of the index. By an expression, so
-- that it is never chosen for the list of one seller, where it would read past the payments of all others.
CREATE INDEX merchant_payment_newest ON merchant_payment (timezone('UTC', created_at), payment_order_id);
CREATE INDEX payment_orders_reference ON payment_orders (psp_reference) WHERE psp_reference IS NOT NULL;
CREATE INDEX reconciliation_finding_order ON reconciliation_finding (payment_order_id)
  WHERE payment_order_id IS NOT NULL;
CREATE INDEX finance_decision_finding ON finance_decision (finding_no);
CREATE INDEX payment_dead_letters_subject ON payment_dead_letters (subject_id);
`;
