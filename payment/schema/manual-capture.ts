/** Payments that are authorized first and captured, in full or in part, or voided later. */
export const manualCapture = `
ALTER TABLE payment_orders
  ADD COLUMN manual_capture boolean NOT NULL DEFAULT false,
  ADD COLUMN capture_minor bigint NOT NULL DEFAULT 0,
  ADD COLUMN void_requested boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN payment_orders.capture_minor IS
  'What the seller wants of the authorized amount, 0 before that; there is one capture';
ALTER TABLE payment_orders DROP CONSTRAINT payment_orders_pending_check;
ALTER TABLE payment_orders ADD CONSTRAINT payment_orders_pending_check
  CHECK (pending IN ('review', 'buyer', 'challenge', 'processing', 'capture', 'unknown'));
ALTER TABLE payment_orders DROP CONSTRAINT success_is_captured;
ALTER TABLE payment_orders ADD CONSTRAINT success_is_captured CHECK (payment_order_status <> 'SUCCESS'
  OR (is_final AND captured_minor = CASE WHEN manual_capture THEN capture_minor ELSE amount_minor END));
ALTER TABLE payment_orders ADD CONSTRAINT one_capture_within_authorization CHECK (
  0 <= capture_minor AND capture_minor <= amount_minor
  AND (manual_capture OR (capture_minor = 0 AND NOT void_requested))
  AND NOT (void_requested AND capture_minor > 0));

CREATE FUNCTION payment_order_keeps_its_capture() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.manual_capture <> OLD.manual_capture OR OLD.capture_minor > 0 AND NEW.capture_minor <> OLD.capture_minor
    OR OLD.void_requested AND NOT NEW.void_requested THEN
    RAISE EXCEPTION 'payment order % keeps how it is captured', OLD.payment_order_id
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER payment_order_capture BEFORE UPDATE ON payment_orders FOR EACH ROW
  WHEN (OLD.manual_capture OR NEW.manual_capture) EXECUTE FUNCTION payment_order_keeps_its_capture();
`;
