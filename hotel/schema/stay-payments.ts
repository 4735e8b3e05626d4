/**
 * The payments of a reservation, and the amounts that its guest is asked for beyond its price. Open
 * exchanges, which supplements replace, end: their rooms are released, and booking withdraws or refunds their
 * payment.
 */
export const stayPayments = `
CREATE TABLE stay_payment (
  -- Without a foreign key: the statement that confirms a payment has just changed the reservation, and none
  -- is ever deleted.
  reservation_id text COLLATE "C" NOT NULL,
  payment_id text COLLATE "C" NOT NULL,
  -- The order in which they were accepted.
  payment_no bigint GENERATED ALWAYS AS IDENTITY,
  -- NULL: of the stay as it was booked.
  supplement_id text COLLATE "C",
  captured_minor bigint NOT NULL CHECK (captured_minor >= 0),
  -- What went back or is on its way, whoever asked for it.
  refunded_minor bigint NOT NULL DEFAULT 0,
  -- What the guest's bank took back, for a while or for good.
  disputed_minor bigint NOT NULL DEFAULT 0,
  -- The most that the reservation may take back from it; NULL: all of it.
  refundable_minor bigint,
  -- Which reading of the payment these are of; an older one that comes later is dropped.
  money_version bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (reservation_id, payment_id)
);
INSERT INTO stay_payment (reservation_id, payment_id, captured_minor, refunded_minor, disputed_minor,
    refundable_minor, money_version)
  SELECT reservation_id, payment_id, paid_minor, refunded_minor, disputed_minor, refundable_minor, money_version
  FROM reservation WHERE payment_id IS NOT NULL ORDER BY sequence;

CREATE TABLE stay_supplement (
  supplement_id text COLLATE "C" PRIMARY KEY,
  reservation_id text COLLATE "C" NOT NULL REFERENCES reservation,
  kind text NOT NULL CHECK (kind IN ('change', 'extras')),
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'paid', 'ended')),
  expires_at timestamptz NOT NULL,
  -- Of a change: the stay as it will be, with the prices and terms that were agreed on.
  stay jsonb CHECK ((kind = 'change') = (stay IS NOT NULL)),
  created_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX open_supplement_of_reservation ON stay_supplement (reservation_id) WHERE status = 'open';

ALTER TABLE reservation
  -- The newest one. While it is open, its amount and end; then 0.
  ADD COLUMN supplement_id text COLLATE "C",
  ADD COLUMN supplement_minor bigint NOT NULL DEFAULT 0,
  ADD COLUMN supplement_expires_at timestamptz,
  -- The part of paid_minor that is for extras, less what of it was granted back.
  ADD COLUMN extras_paid_minor bigint NOT NULL DEFAULT 0;
CREATE INDEX reservation_supplement ON reservation (supplement_expires_at) WHERE supplement_minor > 0;

CREATE OR REPLACE FUNCTION reservation_body(r reservation) RETURNS jsonb LANGUAGE sql STABLE RETURN jsonb_build_object(
  'reservationId', r.reservation_id, 'userId', r.user_id, 'hotelId', r.hotel_id, 'roomTypeId', r.room_type_id,
  'startDate', r.start_date, 'endDate', r.end_date, 'roomCount', r.room_count, 'status', r.status,
  'priceMinor', r.price_minor::text, 'currency', r.currency, 'paidMinor', r.paid_minor::text,
  'refundDueMinor', r.refund_due_minor::text, 'paymentId', r.payment_id,
  'holdExpiresAtMs', (extract(epoch FROM r.hold_expires_at) * 1000)::bigint)
  || CASE WHEN r.supplement_id IS NULL THEN '{}'::jsonb ELSE jsonb_build_object(
    'supplementId', r.supplement_id, 'supplementMinor', r.supplement_minor::text,
    'supplementExpiresAtMs', (extract(epoch FROM r.supplement_expires_at) * 1000)::bigint) END;

WITH ended AS (
  UPDATE reservation r SET status = 'rejected', updated_at = now() FROM stay_exchange e
  WHERE e.reservation_id = r.reservation_id AND r.status = 'pending_payment' RETURNING r.*)
SELECT change_counts(array_agg(hotel_id::text), array_agg(room_type_id::text), array_agg(start_date),
  array_agg(end_date), array_agg(-room_count::integer)) FROM ended HAVING count(*) > 0;
DROP TABLE stay_exchange;
`;
