/**
 * Reservations with their documented transitions (docs/hotel-states.md), each recorded automatically in a
 * history.
 */
export const reservations = `
CREATE TYPE reservation_status AS ENUM
  ('pending_payment', 'paid', 'payment_returned', 'checked_in', 'completed', 'rejected', 'expired',
    'cancelled', 'refunded', 'no_show');

CREATE TABLE reservation (
  reservation_id text COLLATE "C" PRIMARY KEY CHECK (length(reservation_id) BETWEEN 1 AND 64),
  -- Order of creation, newest first in lists.
  sequence bigint GENERATED ALWAYS AS IDENTITY,
  user_id text COLLATE "C" NOT NULL,
  hotel_id text COLLATE "C" NOT NULL,
  room_type_id text COLLATE "C" NOT NULL,
  -- Both inclusive.
  start_date date NOT NULL,
  end_date date NOT NULL,
  room_count smallint NOT NULL CHECK (room_count > 0),
  status reservation_status NOT NULL DEFAULT 'pending_payment',
  -- The locked quote: one room, each night from start_date on.
  night_prices_minor bigint[] NOT NULL,
  -- All nights and rooms of what is reserved now.
  price_minor bigint NOT NULL,
  currency text NOT NULL,
  -- What was captured, and what of it goes back or went back.
  paid_minor bigint NOT NULL DEFAULT 0,
  refund_due_minor bigint NOT NULL DEFAULT 0,
  payment_id text,
  hold_expires_at timestamptz NOT NULL,
  free_cancel_until timestamptz NOT NULL,
  late_cancel_percent smallint NOT NULL,
  -- What was asked for at first, to tell a retry from another request with the same id.
  request text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  -- What policy and staff grant, whether or not so much is left.
  refund_granted_minor bigint NOT NULL DEFAULT 0,
  -- The most that refund_due_minor may be; NULL: all that was paid.
  refundable_minor bigint,
  -- What went back or is on its way, whoever asked for it.
  refunded_minor bigint NOT NULL DEFAULT 0,
  -- What the guest's bank took back, for a while or for good.
  disputed_minor bigint NOT NULL DEFAULT 0,
  -- Which reading of the payment these are of; an older one that comes later is dropped.
  money_version bigint NOT NULL DEFAULT 0,
  CHECK (start_date <= end_date),
  CHECK (cardinality(night_prices_minor) = end_date - start_date + 1)
) WITH (fillfactor = 80);
CREATE INDEX reservation_of_user ON reservation (user_id, sequence DESC);
CREATE INDEX reservation_of_hotel ON reservation (hotel_id, start_date);
CREATE INDEX reservation_held ON reservation (hold_expires_at) WHERE status = 'pending_payment';
CREATE INDEX reservation_held_by ON reservation (user_id) WHERE status = 'pending_payment';

CREATE TABLE reservation_status_move (
  from_status reservation_status NOT NULL,
  to_status reservation_status NOT NULL,
  PRIMARY KEY (from_status, to_status)
);
INSERT INTO reservation_status_move VALUES
  ('pending_payment', 'paid'), ('pending_payment', 'rejected'), ('pending_payment', 'expired'),
  ('pending_payment', 'cancelled'),
  -- The payment came after the hold had ended and the rooms were still free.
  ('expired', 'paid'),
  ('paid', 'checked_in'), ('paid', 'cancelled'), ('paid', 'no_show'),
  -- Nothing of the payment is left before the stay, and some of it comes back.
  ('paid', 'payment_returned'), ('payment_returned', 'paid'),
  ('payment_returned', 'cancelled'), ('payment_returned', 'no_show'),
  ('checked_in', 'completed'),
  ('cancelled', 'refunded');

CREATE TABLE reservation_status_history (
  reservation_id text COLLATE "C" NOT NULL,
  at timestamptz NOT NULL,
  position bigint GENERATED ALWAYS AS IDENTITY,
  from_status reservation_status,
  to_status reservation_status NOT NULL
);
CREATE INDEX history_of_reservation ON reservation_status_history (reservation_id, position);

CREATE FUNCTION refuse_undocumented_reservation_move() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM reservation_status_move WHERE from_status = OLD.status AND to_status = NEW.status) THEN
    RAISE EXCEPTION 'A reservation does not go from % to %.', OLD.status, NEW.status USING ERRCODE = 'MH001';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER reservation_moves BEFORE UPDATE ON reservation FOR EACH ROW
  WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION refuse_undocumented_reservation_move();

CREATE FUNCTION refuse_wrong_beginning() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'A reservation begins as pending_payment, not as %.', NEW.status USING ERRCODE = 'MH001';
END $$;
CREATE TRIGGER reservation_begins BEFORE INSERT ON reservation FOR EACH ROW
  WHEN (NEW.status <> 'pending_payment') EXECUTE FUNCTION refuse_wrong_beginning();

-- What is due back is the lesser of what policy and staff grant and what is left, so that nothing more is
-- ever promised.
CREATE FUNCTION promise_what_is_left() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.refund_due_minor := least(NEW.refund_granted_minor, coalesce(NEW.refundable_minor, NEW.paid_minor));
  RETURN NEW;
END $$;
CREATE TRIGGER reservation_promises BEFORE UPDATE ON reservation FOR EACH ROW
  WHEN (OLD.refund_granted_minor <> NEW.refund_granted_minor
    OR OLD.refundable_minor IS DISTINCT FROM NEW.refundable_minor)
  EXECUTE FUNCTION promise_what_is_left();

-- The rooms of a reservation, once numbers are given out: a row for each night, so that no room is given
-- twice.
CREATE TABLE room_night (
  hotel_id text COLLATE "C" NOT NULL,
  room_id text COLLATE "C" NOT NULL,
  date date NOT NULL,
  reservation_id text COLLATE "C" NOT NULL REFERENCES reservation,
  PRIMARY KEY (hotel_id, room_id, date)
);
CREATE INDEX rooms_of_reservation ON room_night (reservation_id);
`;
