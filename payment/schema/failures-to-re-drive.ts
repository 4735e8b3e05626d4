/**
 * An order that failed for another reason than its retries may be followed by one that the buyer pays, unless
 * its caller cancelled it. If the risk rules, a person or the bank refused the buyer, people decide first.
 */
export const failuresToRedrive = `
CREATE FUNCTION payment_is_re_drivable(failure_code text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(failure_code <> 'voided', false)
$$;
CREATE FUNCTION payment_needs_review_first(failure_code text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(failure_code IN ('risk_blocked', 'review_denied', 'suspected_fraud', 'stolen_card'), false)
$$;

CREATE OR REPLACE FUNCTION payment_retry_follows_a_failure() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM payment_orders o JOIN payment_events e USING (checkout_id)
    WHERE o.payment_order_id = NEW.retry_of AND o.is_final AND o.payment_order_status = 'FAILED'
      AND CASE WHEN o.checkout_id = NEW.checkout_id THEN e.takes_retries AND NOT e.is_payment_done
        ELSE e.finance_retries AND payment_is_re_drivable(o.failure_code)
          AND (NEW.pending IS NOT DISTINCT FROM 'review' OR NOT payment_needs_review_first(o.failure_code))
        END) THEN
  RAISE EXCEPTION 'payment order % retries one that may still succeed, or whose checkout is over',
    NEW.payment_order_id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
`;
