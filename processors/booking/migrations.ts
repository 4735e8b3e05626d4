import type { Migration } from '#platform/sql/sql.js';

/** All of the history `booking`: `sql.migrate('booking', bookingMigrations)`. */
export const bookingMigrations: readonly Migration[] = [
  {
    name: '0001-create-booking',
    sql: `
CREATE TABLE booking_payment (
  payment_order_id text PRIMARY KEY,
  reservation_id text NOT NULL,
  -- A price that changes while nothing is paid needs another payment order.
  attempt integer NOT NULL,
  -- The reservation's event that it was made for; older ones say nothing about it.
  event_id bigint NOT NULL,
  user_id text NOT NULL,
  hotel_id text NOT NULL,
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  currency text NOT NULL,
  -- Shared: the hold ends then, and so does the registration at the provider.
  expires_at timestamptz NOT NULL,
  -- Payment has it.
  asked boolean NOT NULL DEFAULT false,
  -- What became of it: paid, reseated, failed, withdrawn, or why the money went back.
  outcome text,
  UNIQUE (reservation_id, attempt)
);

CREATE TABLE booking_refund (
  refund_id text PRIMARY KEY,
  payment_order_id text NOT NULL REFERENCES booking_payment,
  reservation_id text NOT NULL,
  -- What was due in all when it was asked for; refunds of one payment rise by it.
  due_minor bigint NOT NULL,
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  settled boolean NOT NULL DEFAULT false
);
CREATE INDEX booking_refund_of_payment ON booking_refund (payment_order_id, due_minor);
`,
  },
  {
    name: '0002-refunds-that-fail',
    sql: `
-- Payment knows how far a refund is; here it counts whether it still may go.
ALTER TABLE booking_refund DROP COLUMN settled, ADD COLUMN failed boolean NOT NULL DEFAULT false;
`,
  },
  {
    name: '0003-other-cards',
    sql: `
ALTER TABLE booking_payment
  -- One price is one checkout; each card that is tried is a payment order of it.
  ADD COLUMN checkout_id text,
  ADD COLUMN retry_of text REFERENCES booking_payment,
  -- Why the card before was declined.
  ADD COLUMN declined_code text;
UPDATE booking_payment SET checkout_id = payment_order_id;
ALTER TABLE booking_payment ALTER COLUMN checkout_id SET NOT NULL;
`,
  },
  {
    name: '0004-supplements',
    sql: `
-- What it pays for: a supplement of the reservation, or the stay as it was booked ('').
ALTER TABLE booking_payment ADD COLUMN supplement_id text NOT NULL DEFAULT '',
  DROP CONSTRAINT booking_payment_reservation_id_attempt_key,
  ADD UNIQUE (reservation_id, supplement_id, attempt);
CREATE INDEX booking_refund_of_reservation ON booking_refund (reservation_id);
`,
  },
  {
    name: '0005-card-consents',
    sql: `
-- Guests who agreed, before they reserved, that the provider keeps the card that pays.
CREATE TABLE booking_card_consent (
  reservation_id text NOT NULL,
  user_id text NOT NULL,
  agreed_at timestamptz NOT NULL,
  PRIMARY KEY (reservation_id, user_id)
);
CREATE INDEX booking_card_consent_of ON booking_card_consent (user_id, agreed_at);
`,
  },
  {
    name: '0006-saved-cards',
    sql: `
ALTER TABLE booking_card_consent RENAME TO booking_card_choice;
ALTER INDEX booking_card_consent_pkey RENAME TO booking_card_choice_pkey;
ALTER INDEX booking_card_consent_of RENAME TO booking_card_choice_of;
ALTER TABLE booking_card_choice RENAME COLUMN agreed_at TO chosen_at;
-- A card that the guest saved earlier pays; NULL: the card of the page pays, and the provider keeps it.
ALTER TABLE booking_card_choice ADD COLUMN card_id text;
`,
  },
];
