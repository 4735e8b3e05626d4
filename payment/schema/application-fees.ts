/** What we keep of a seller's payments: terms that two people approve, and that an order keeps. */
export const applicationFees = `
CREATE TABLE seller_fee (
  fee_no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  seller_account text NOT NULL CHECK (length(seller_account) BETWEEN 1 AND 64),
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  basis_points integer NOT NULL CHECK (basis_points BETWEEN 0 AND 5000),
  fixed_minor bigint NOT NULL CHECK (fixed_minor >= 0),
  state text NOT NULL DEFAULT 'awaiting_second'
    CHECK (state IN ('awaiting_second', 'active', 'denied', 'replaced')),
  requested_by text NOT NULL CHECK (requested_by <> ''),
  reason text NOT NULL,
  requested_at timestamptz NOT NULL,
  reviewed_by text,
  reviewed_at timestamptz,
  review_reason text,
  CONSTRAINT second_person_is_another CHECK (reviewed_by <> requested_by),
  CONSTRAINT second_person_comes_first
    CHECK (state = 'awaiting_second' OR (reviewed_by IS NOT NULL AND review_reason <> ''))
);
CREATE UNIQUE INDEX seller_fee_active ON seller_fee (seller_account, currency) WHERE state = 'active';
CREATE UNIQUE INDEX seller_fee_awaiting ON seller_fee (seller_account, currency) WHERE state = 'awaiting_second';

CREATE FUNCTION seller_fee_keeps_its_terms() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.seller_account, NEW.currency, NEW.basis_points, NEW.fixed_minor, NEW.requested_by, NEW.reason)
      IS DISTINCT FROM
    (OLD.seller_account, OLD.currency, OLD.basis_points, OLD.fixed_minor, OLD.requested_by, OLD.reason)
    OR OLD.reviewed_by IS NOT NULL AND (NEW.reviewed_by, NEW.reviewed_at, NEW.review_reason)
      IS DISTINCT FROM (OLD.reviewed_by, OLD.reviewed_at, OLD.review_reason)
    OR NEW.state <> OLD.state AND (OLD.state, NEW.state) NOT IN
      (('awaiting_second', 'active'), ('awaiting_second', 'denied'), ('active', 'replaced')) THEN
    RAISE EXCEPTION 'fee % keeps what two people approved', OLD.fee_no USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER seller_fee_kept BEFORE UPDATE ON seller_fee
  FOR EACH ROW EXECUTE FUNCTION seller_fee_keeps_its_terms();

ALTER TABLE payment_orders
  ADD COLUMN fee_basis_points integer CHECK (fee_basis_points BETWEEN 0 AND 5000),
  ADD COLUMN fee_fixed_minor bigint CHECK (fee_fixed_minor >= 0);
ALTER TABLE payment_orders ADD CONSTRAINT fee_has_both_parts
  CHECK ((fee_basis_points IS NULL) = (fee_fixed_minor IS NULL));
COMMENT ON COLUMN payment_orders.fee_basis_points IS 'Of the captured amount; NULL without a fee';
ALTER TABLE payment_refunds ADD COLUMN fee_minor bigint NOT NULL DEFAULT 0 CHECK (fee_minor >= 0);
COMMENT ON COLUMN payment_refunds.fee_minor IS 'The part of the application fee that went back to the seller';

CREATE FUNCTION payment_order_keeps_its_fee() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'payment order % keeps its fee', OLD.payment_order_id USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER payment_order_fee BEFORE UPDATE ON payment_orders FOR EACH ROW
  WHEN (OLD.fee_basis_points IS DISTINCT FROM NEW.fee_basis_points
    OR OLD.fee_fixed_minor IS DISTINCT FROM NEW.fee_fixed_minor)
  EXECUTE FUNCTION payment_order_keeps_its_fee();

-- What an order's captured amount costs its seller; the same as feeOf in application-fee.ts.
CREATE FUNCTION application_fee(status text, captured bigint, basis_points integer, fixed bigint) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN basis_points IS NULL OR status <> 'SUCCESS' THEN 0
    ELSE least(captured, fixed + (captured * basis_points + 5000) / 10000) END
$$;
`;
