/**
 * Events are written by triggers, in the transaction that changes the rows, so that none is missing. A
 * statement makes one event for each (hotel, room type) it changed, with the counts after it. A later change
 * of the same day waits for the row lock before it gets its number, so numbers rise in commit order for each
 * day.
 */
export const outbox = `
CREATE TABLE hotel_outbox (
  event_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL,
  key text NOT NULL,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  body jsonb NOT NULL
);

-- One relay at a time: whoever holds the lease.
CREATE TABLE hotel_outbox_lease (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  holder text NOT NULL,
  until timestamptz NOT NULL
);
INSERT INTO hotel_outbox_lease (holder, until) VALUES ('', '-infinity');

CREATE FUNCTION tell_inventory() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO hotel_outbox (kind, key, body)
  SELECT 'inventory.changed', hotel_id || '/' || room_type_id, jsonb_build_object(
    'hotelId', hotel_id, 'roomTypeId', room_type_id, 'dates', jsonb_agg(date ORDER BY date),
    'totalInventory', jsonb_agg(total_inventory ORDER BY date), 'totalReserved', jsonb_agg(total_reserved ORDER BY date))
  FROM changed GROUP BY hotel_id, room_type_id ORDER BY hotel_id, room_type_id;
  RETURN NULL;
END $$;
CREATE TRIGGER room_type_inventory_added AFTER INSERT ON room_type_inventory
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_inventory();
CREATE TRIGGER room_type_inventory_updated AFTER UPDATE ON room_type_inventory
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_inventory();

CREATE FUNCTION reservation_body(r reservation) RETURNS jsonb LANGUAGE sql STABLE RETURN jsonb_build_object(
  'reservationId', r.reservation_id, 'userId', r.user_id, 'hotelId', r.hotel_id, 'roomTypeId', r.room_type_id,
  'startDate', r.start_date, 'endDate', r.end_date, 'roomCount', r.room_count, 'status', r.status,
  'priceMinor', r.price_minor::text, 'currency', r.currency, 'paidMinor', r.paid_minor::text,
  'refundDueMinor', r.refund_due_minor::text, 'paymentId', r.payment_id,
  'holdExpiresAtMs', (extract(epoch FROM r.hold_expires_at) * 1000)::bigint);

CREATE FUNCTION tell_new_reservations() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO reservation_status_history (reservation_id, at, from_status, to_status)
    SELECT reservation_id, created_at, NULL, status FROM added;
  INSERT INTO hotel_outbox (kind, key, body)
    SELECT 'reservation.created', a.reservation_id, reservation_body(a::reservation) FROM added a;
  RETURN NULL;
END $$;
CREATE TRIGGER reservation_added AFTER INSERT ON reservation
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION tell_new_reservations();

CREATE FUNCTION tell_changed_reservations() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO reservation_status_history (reservation_id, at, from_status, to_status)
    SELECT a.reservation_id, a.updated_at, b.status, a.status FROM after a JOIN before b USING (reservation_id)
    WHERE a.status <> b.status;
  INSERT INTO hotel_outbox (kind, key, body)
    SELECT 'reservation.changed', a.reservation_id, reservation_body(a::reservation) FROM after a;
  RETURN NULL;
END $$;
CREATE TRIGGER reservation_changed AFTER UPDATE ON reservation
  REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT
  EXECUTE FUNCTION tell_changed_reservations();
`;
