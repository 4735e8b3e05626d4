/** Who a seller account belongs to, and what merchants read of payments and of the ledger. */
export const merchants = `
CREATE TABLE merchant_account (
  assignment_no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  seller_account text NOT NULL CHECK (length(seller_account) BETWEEN 1 AND 64),
  merchant_id text NOT NULL CHECK (length(merchant_id) BETWEEN 1 AND 128),
  assigned_by text NOT NULL CHECK (assigned_by <> ''),
  assigned_at timestamptz NOT NULL,
  reason text NOT NULL CHECK (length(reason) BETWEEN 1 AND 200),
  removed_by text,
  removed_at timestamptz,
  removal_reason text,
  CONSTRAINT removed_with_a_reason CHECK ((removed_at IS NULL) = (removed_by IS NULL)
    AND (removed_at IS NULL) = (removal_reason IS NULL))
);
COMMENT ON TABLE merchant_account IS
  'The subject of a token with the scope merchant, and the seller accounts that it reads; removals stay';
CREATE UNIQUE INDEX merchant_account_one ON merchant_account (seller_account) WHERE removed_at IS NULL;
CREATE INDEX merchant_account_of ON merchant_account (merchant_id) WHERE removed_at IS NULL;

CREATE FUNCTION merchant_account_is_kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'UPDATE' OR OLD.removed_at IS NOT NULL
    OR (NEW.seller_account, NEW.merchant_id, NEW.assigned_by, NEW.assigned_at, NEW.reason)
      IS DISTINCT FROM (OLD.seller_account, OLD.merchant_id, OLD.assigned_by, OLD.assigned_at, OLD.reason) THEN
    RAISE EXCEPTION 'an assignment of a seller account is only removed, once' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER merchant_account_kept BEFORE UPDATE OR DELETE ON merchant_account
  FOR EACH ROW EXECUTE FUNCTION merchant_account_is_kept();

-- What lists and searches order by. It never changes, so an order that changes five times writes it once.
CREATE TABLE merchant_payment (
  seller_account text NOT NULL,
  created_at timestamptz NOT NULL,
  payment_order_id text NOT NULL,
  buyer_account text NOT NULL,
  amount_minor bigint NOT NULL,
  currency text NOT NULL,
  PRIMARY KEY (seller_account, created_at, payment_order_id)
);
CREATE INDEX merchant_payment_buyer
  ON merchant_payment (seller_account, buyer_account, created_at, payment_order_id);
INSERT INTO merchant_payment
  SELECT seller_account, created_at, payment_order_id, buyer_account, amount_minor, currency
  FROM payment_orders ORDER BY seller_account, created_at, payment_order_id;

CREATE FUNCTION merchant_payment_is_listed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO merchant_payment
    SELECT seller_account, created_at, payment_order_id, buyer_account, amount_minor, currency FROM added;
  RETURN NULL;
END $$;
CREATE TRIGGER merchant_payment_listed AFTER INSERT ON payment_orders
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION merchant_payment_is_listed();

-- Nothing looks up orders by their buyer alone, and each change of an order wrote an entry into this index.
DROP INDEX payment_orders_buyer;
-- Captured, and not in the ledger yet: a moment, and few.
CREATE INDEX payment_orders_unposted ON payment_orders (seller_account)
  WHERE captured_minor > 0 AND NOT ledger_updated;

CREATE INDEX payment_disputes_open ON payment_disputes (payment_order_id) WHERE dispute_status = 'OPENED';

-- The postings of sellers by account. Written behind the ledger, so that posting does not pay for it.
CREATE TABLE merchant_entry (
  account_no bigint NOT NULL,
  sequence bigint NOT NULL,
  batch_no bigint NOT NULL,
  PRIMARY KEY (account_no, sequence)
);
CREATE TABLE merchant_entry_head (batch_no bigint NOT NULL);
CREATE UNIQUE INDEX merchant_entry_head_is_one ON merchant_entry_head ((true));
INSERT INTO merchant_entry_head VALUES (0);
COMMENT ON TABLE merchant_entry_head IS 'The last batch of the ledger whose postings merchant_entry has';
`;
