/**
 * An order that failed for another reason than its retries may be followed by one that the buyer pays anew.
 * Not what the risk rules, the bank's suspicion or the caller refused, nor an order whose money goes back.
 */
export const failuresToRedrive = `
CREATE FUNCTION payment_may_be_paid_anew(failure_code text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(failure_code NOT IN ('risk_blocked', 'review_denied', 'suspected_fraud', 'stolen_card',
    'voided', 'amount_differs', 'captured_late'), false)
$$;

CREATE OR REPLACE FUNCTION payment_retry_follows_a_failure() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM payment_orders o JOIN payment_events e USING (checkout_id)
    WHERE o.payment_order_id = NEW.retry_of AND o.is_final AND o.payment_order_status = 'FAILED'
      AND CASE WHEN o.checkout_id = NEW.checkout_id THEN e.takes_retries AND NOT e.is_payment_done
        ELSE e.finance_retries AND payment_may_be_paid_anew(o.failure_code) END) THEN
  RAISE EXCEPTION 'payment order % retries one that may still succeed, or whose checkout is over',
    NEW.payment_order_id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
`;
