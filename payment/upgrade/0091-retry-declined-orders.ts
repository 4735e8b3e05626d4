import type { UpgradeStep } from '#platform/sql/sql.js';

/** A declined order may be followed by another one of the same checkout. */
export const retryDeclinedOrders: UpgradeStep = {
  name: '0091-retry-declined-orders',
  sql: `
ALTER TABLE payment_events ADD COLUMN takes_retries boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN payment_events.takes_retries IS 
  'A declined order may be followed by another one: done with the first success, or once it is closed';
ALTER TABLE payment_orders ADD COLUMN retry_of text REFERENCES payment_orders;
COMMENT ON COLUMN payment_orders.retry_of IS 
  'The declined order in whose place this one is; each has one follower at most';
CREATE UNIQUE INDEX payment_orders_retried_once ON payment_orders (retry_of) WHERE retry_of IS NOT NULL;

-- What is final stays so, so of a chain of retries only the last can succeed.
CREATE FUNCTION payment_retry_follows_a_failure() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM payment_orders o JOIN payment_events e USING (checkout_id)
    WHERE o.payment_order_id = NEW.retry_of AND o.checkout_id = NEW.checkout_id
      AND e.takes_retries AND NOT e.is_payment_done
      AND o.is_final AND o.payment_order_status = 'FAILED') THEN
  RAISE EXCEPTION 'payment order % retries one that may still succeed, or whose checkout is over',
    NEW.payment_order_id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER payment_retry_follows BEFORE INSERT ON payment_orders FOR EACH ROW
  WHEN (NEW.retry_of IS NOT NULL) EXECUTE FUNCTION payment_retry_follows_a_failure();
`,
};
