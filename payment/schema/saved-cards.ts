/** Cards that buyers agreed to have kept by a provider, and the payments with them. */
export const savedCards = `
-- The number of a card has at least twelve digits.
CREATE FUNCTION is_name_of_a_card(name text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT name ~ '^[A-Za-z][A-Za-z0-9_-]{3,254}$' AND name !~ '([0-9][_-]*){12}'
$$;

CREATE TABLE saved_card (
  card_no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  card_id text NOT NULL UNIQUE CHECK (is_name_of_a_card(card_id)),
  payment_order_id text NOT NULL UNIQUE REFERENCES payment_orders,
  caller text NOT NULL,
  buyer_account text NOT NULL,
  seller_account text NOT NULL,
  state text NOT NULL DEFAULT 'wanted' CHECK (state IN ('wanted', 'kept', 'not_kept', 'deleting', 'deleted')),
  provider text CHECK (provider ~ '^[a-z][a-z0-9-]{0,31}$'),
  token text CHECK (is_name_of_a_card(token)),
  customer text CHECK (is_name_of_a_card(customer)),
  brand text CHECK (brand ~ '^[a-z][a-z0-9_ ]{0,31}$'),
  last4 text CHECK (last4 ~ '^[0-9]{4}$'),
  expiry_month text CHECK (expiry_month ~ '^20[0-9]{2}-(0[1-9]|1[0-2])$'),
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz,
  failure text,
  wanted_at timestamptz NOT NULL,
  kept_at timestamptz,
  deletion_requested_at timestamptz,
  deletion_requested_by text,
  deleted_at timestamptz,
  CONSTRAINT known_while_it_is_there CHECK (num_nonnulls(provider, token, customer, brand, last4, expiry_month, kept_at)
    = CASE WHEN state IN ('kept', 'deleting') THEN 7 WHEN state = 'deleted' THEN 2 ELSE 0 END),
  CONSTRAINT waiting_is_due CHECK ((state IN ('wanted', 'deleting')) = (next_attempt_at IS NOT NULL)),
  CONSTRAINT kept_until_deletion CHECK (state <> 'kept' OR deletion_requested_at IS NULL),
  CONSTRAINT deleted_has_a_time CHECK ((state = 'deleted') = (deleted_at IS NOT NULL))
);
COMMENT ON COLUMN saved_card.payment_order_id IS 'The payment with which the buyer agreed';
COMMENT ON COLUMN saved_card.token IS 'The provider''s opaque name; never a card number';
COMMENT ON COLUMN saved_card.state IS
  'wanted: agreed, and not looked up at the provider yet. deleting: nobody can use it, and the provider does '
  'not confirm it yet. deleted: only provider and kept_at are left of it';
CREATE UNIQUE INDEX saved_card_token ON saved_card (provider, token) WHERE token IS NOT NULL;
CREATE INDEX saved_card_of_buyer ON saved_card (caller, buyer_account, card_no)
  WHERE state IN ('wanted', 'kept');
CREATE INDEX saved_card_of_seller ON saved_card (seller_account, card_no) WHERE state = 'kept';
CREATE INDEX saved_card_due ON saved_card (next_attempt_at) WHERE next_attempt_at IS NOT NULL;

CREATE FUNCTION saved_card_is_gone_for_good() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.card_id, NEW.payment_order_id, NEW.caller, NEW.buyer_account, NEW.seller_account) IS DISTINCT FROM
      (OLD.card_id, OLD.payment_order_id, OLD.caller, OLD.buyer_account, OLD.seller_account)
    OR OLD.deletion_requested_at IS NOT NULL AND NEW.deletion_requested_at IS DISTINCT FROM OLD.deletion_requested_at
    OR (OLD.state, NEW.state) NOT IN (('wanted', 'wanted'), ('wanted', 'kept'), ('wanted', 'not_kept'),
      ('wanted', 'deleting'), ('kept', 'kept'), ('kept', 'deleting'), ('deleting', 'deleting'),
      ('deleting', 'deleted')) THEN
    RAISE EXCEPTION 'saved card % cannot go from % to %', OLD.card_id, OLD.state, NEW.state
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER saved_card_graph BEFORE UPDATE ON saved_card
  FOR EACH ROW EXECUTE FUNCTION saved_card_is_gone_for_good();

CREATE TABLE saved_card_payment (
  checkout_id text PRIMARY KEY REFERENCES payment_events,
  card_id text NOT NULL REFERENCES saved_card (card_id)
);
COMMENT ON TABLE saved_card_payment IS 'Which payment events are paid with which card';
CREATE INDEX saved_card_payment_of ON saved_card_payment (card_id);

-- Whoever deletes the card holds its row: a payment is stored before, and is withdrawn, or is refused.
CREATE FUNCTION saved_card_is_usable() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  card saved_card;
BEGIN
  SELECT * INTO card FROM saved_card WHERE card_id = NEW.card_id FOR SHARE;
  IF card.state IS DISTINCT FROM 'kept' OR EXISTS (
    SELECT FROM payment_orders o JOIN payment_events e USING (checkout_id) WHERE o.checkout_id = NEW.checkout_id
      AND (e.caller, o.buyer_account, o.seller_account, o.provider)
        IS DISTINCT FROM (card.caller, card.buyer_account, card.seller_account, card.provider)) THEN
    RAISE EXCEPTION 'saved card % cannot pay %', NEW.card_id, NEW.checkout_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'saved_card_is_usable';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER saved_card_usable BEFORE INSERT OR UPDATE ON saved_card_payment
  FOR EACH ROW EXECUTE FUNCTION saved_card_is_usable();
`;
