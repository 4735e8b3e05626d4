/** Pages that take one card for all orders of a payment event, and the orders that wait for it. */
export const cardPages = `
CREATE TABLE payment_card_page (
  page_id text PRIMARY KEY CHECK (page_id ~ '^page_[0-9a-f-]{36}$'),
  checkout_id text NOT NULL REFERENCES payment_events DEFERRABLE INITIALLY DEFERRED,
  number smallint NOT NULL CHECK (number >= 1),
  state text NOT NULL DEFAULT 'wanted' CHECK (state IN ('wanted', 'open', 'charging', 'deleting', 'ended')),
  provider text CHECK (provider ~ '^[a-z][a-z0-9-]{0,31}$'),
  nonce text UNIQUE CHECK (length(nonce) <= 64),
  reference text,
  token text UNIQUE,
  page_url text,
  card_token text CHECK (is_name_of_a_card(card_token)),
  customer text CHECK (is_name_of_a_card(customer)),
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz,
  failure text,
  created_at timestamptz NOT NULL,
  taken_at timestamptz,
  ended_at timestamptz,
  UNIQUE (checkout_id, number),
  CONSTRAINT card_until_it_is_deleted
    CHECK (num_nonnulls(card_token, customer) = CASE WHEN state IN ('charging', 'deleting') THEN 2 ELSE 0 END),
  CONSTRAINT known_at_the_provider CHECK (state IN ('wanted', 'ended')
    OR num_nonnulls(provider, nonce, reference, token, page_url) = 5),
  CONSTRAINT open_is_due CHECK ((state = 'ended') = (next_attempt_at IS NULL)),
  CONSTRAINT ended_has_a_time CHECK ((state = 'ended') = (ended_at IS NOT NULL))
);
COMMENT ON TABLE payment_card_page IS
  'A page of the provider that takes one card for several orders; another one follows for declined orders';
COMMENT ON COLUMN payment_card_page.state IS
  'wanted: not registered yet. open: the buyer may type a card. charging: its card pays the orders. '
  'deleting: no order needs the card, and the provider does not confirm its deletion yet';
COMMENT ON COLUMN payment_card_page.nonce IS 'Ours at the provider; each attempt to register has its own';
COMMENT ON COLUMN payment_card_page.card_token IS 'The provider''s opaque name; never a card number';
CREATE INDEX payment_card_page_due ON payment_card_page (next_attempt_at) WHERE next_attempt_at IS NOT NULL;

CREATE FUNCTION payment_card_page_goes_on() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.page_id, NEW.checkout_id, NEW.number) IS DISTINCT FROM (OLD.page_id, OLD.checkout_id, OLD.number)
    OR OLD.card_token IS NOT NULL AND NEW.card_token IS NOT NULL AND NEW.card_token <> OLD.card_token
    OR OLD.state <> NEW.state AND (OLD.state, NEW.state) NOT IN (('wanted', 'open'), ('wanted', 'ended'),
      ('open', 'charging'), ('open', 'ended'), ('charging', 'deleting'), ('deleting', 'ended')) THEN
    RAISE EXCEPTION 'card page % cannot go from % to %', OLD.page_id, OLD.state, NEW.state
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER payment_card_page_graph BEFORE UPDATE ON payment_card_page
  FOR EACH ROW EXECUTE FUNCTION payment_card_page_goes_on();

ALTER TABLE payment_events ADD COLUMN one_page boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN payment_events.one_page IS
  'Its orders are paid with the card of one page. Not done with the first success: others may follow';
ALTER TABLE payment_orders
  ADD COLUMN page_id text REFERENCES payment_card_page,
  ADD COLUMN page_card text;
COMMENT ON COLUMN payment_orders.page_id IS 'The page whose card pays the order';
COMMENT ON COLUMN payment_orders.page_card IS
  'JSON of the provider''s names of that card, from when it is known until no order needs it';
CREATE INDEX payment_orders_of_page ON payment_orders (page_id) WHERE page_id IS NOT NULL;

-- Such an order begins with the card of its own page, or ends without one.
CREATE FUNCTION payment_order_pays_with_its_page() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.page_id IS DISTINCT FROM OLD.page_id OR NEW.page_card IS NOT NULL AND (
      NEW.page_id IS NULL OR NEW.page_card IS DISTINCT FROM OLD.page_card AND NOT EXISTS (
        SELECT FROM payment_card_page p WHERE p.page_id = NEW.page_id AND p.state = 'charging'
          AND p.checkout_id = NEW.checkout_id AND p.provider = NEW.provider
          AND NEW.page_card::jsonb = jsonb_build_object('token', p.card_token, 'customer', p.customer))) THEN
    RAISE EXCEPTION 'payment order % pays with the card of its page', OLD.payment_order_id
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER payment_order_card BEFORE UPDATE ON payment_orders FOR EACH ROW
  WHEN (NEW.page_id IS DISTINCT FROM OLD.page_id OR NEW.page_card IS DISTINCT FROM OLD.page_card)
  EXECUTE FUNCTION payment_order_pays_with_its_page();
`;
