import type { UpgradeStep } from '#platform/sql/sql.js';

/** What the risk rules count. */
export const countPaymentsOfABuyer: UpgradeStep = {
  name: '0080-count-payments-of-a-buyer',
  sql: `
CREATE TABLE payment_buyer_events (
  buyer bytea NOT NULL,
  checkout_id text NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (buyer, checkout_id)
);
COMMENT ON COLUMN payment_buyer_events.buyer IS
  'SHA-256 of one name of the buyer: account, card fingerprint, e-mail or postal address';
CREATE INDEX payment_buyer_events_age ON payment_buyer_events USING brin (at);
`,
};
