/** Answers of the risk check, and the events that our own rules count. */
export const risk = `
CREATE TABLE payment_risk_checks (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  payment_order_id text NOT NULL REFERENCES payment_orders,
  decision text NOT NULL CHECK (decision IN ('allow', 'review', 'block', 'approved', 'denied')),
  reason text NOT NULL,
  source text NOT NULL,
  at timestamptz NOT NULL
);
CREATE INDEX payment_risk_checks_order ON payment_risk_checks (payment_order_id);

CREATE TABLE payment_buyer_events (
  buyer bytea NOT NULL,
  checkout_id text NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (buyer, checkout_id)
);
COMMENT ON COLUMN payment_buyer_events.buyer IS
  'SHA-256 of one name of the buyer: account, card fingerprint, e-mail or postal address';
CREATE INDEX payment_buyer_events_age ON payment_buyer_events USING brin (at);
`;
