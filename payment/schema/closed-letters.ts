/** Every failed order has a dead letter; one that used up its retries may be followed by another order. */
export const closedLetters = `
ALTER TABLE payment_dead_letters ADD COLUMN needs_person boolean NOT NULL DEFAULT true;
COMMENT ON COLUMN payment_dead_letters.needs_person IS
  'False: closed from the start, because nobody needs to act, for instance on a declined card';
DROP INDEX payment_dead_letters_open;
CREATE INDEX payment_dead_letters_open ON payment_dead_letters (id) WHERE needs_person AND redriven_at IS NULL;

-- False for older events: it is not known of them who puts other orders in place.
ALTER TABLE payment_events ADD COLUMN finance_retries boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN payment_events.finance_retries IS
  'Finance may re-drive its orders that used up their retries; false where its service retries itself';

-- What is final stays so, so of a chain of retries only the last can succeed.
CREATE OR REPLACE FUNCTION payment_retry_follows_a_failure() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM payment_orders o JOIN payment_events e USING (checkout_id)
    WHERE o.payment_order_id = NEW.retry_of AND o.is_final AND o.payment_order_status = 'FAILED'
      AND CASE WHEN o.checkout_id = NEW.checkout_id THEN e.takes_retries AND NOT e.is_payment_done
        ELSE e.finance_retries AND o.failure_code = 'retries_exhausted' END) THEN
  RAISE EXCEPTION 'payment order % retries one that may still succeed, or whose checkout is over',
    NEW.payment_order_id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
`;
