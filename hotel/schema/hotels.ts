/**
 * Hotels, their room types and rooms. Ids are compared byte by byte. A hotel's currency and time zone decide
 * what its prices and days mean, so they never change.
 */
export const hotels = `
CREATE DOMAIN hotel_identifier AS text COLLATE "C" CHECK (length(VALUE) BETWEEN 1 AND 64);

CREATE TABLE hotel (
  hotel_id hotel_identifier PRIMARY KEY,
  name text NOT NULL,
  address text NOT NULL,
  lat double precision NOT NULL CHECK (lat BETWEEN -90 AND 90),
  lng double precision NOT NULL CHECK (lng BETWEEN -180 AND 180),
  time_zone text NOT NULL,
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  check_in_time time NOT NULL DEFAULT '15:00',
  check_out_time time NOT NULL DEFAULT '11:00',
  amenities text[] NOT NULL DEFAULT '{}',
  version bigint NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz
);

CREATE TABLE room_type (
  hotel_id hotel_identifier NOT NULL REFERENCES hotel,
  room_type_id hotel_identifier NOT NULL,
  name text NOT NULL,
  capacity smallint NOT NULL DEFAULT 2 CHECK (capacity BETWEEN 1 AND 50),
  beds smallint NOT NULL DEFAULT 1 CHECK (beds BETWEEN 1 AND 50),
  -- Cancelling is free until so many hours before check-in; later it costs this part of the price, and so
  -- does a no-show.
  free_cancel_hours integer NOT NULL DEFAULT 24 CHECK (free_cancel_hours BETWEEN 0 AND 8760),
  late_cancel_percent smallint NOT NULL DEFAULT 100 CHECK (late_cancel_percent BETWEEN 0 AND 100),
  PRIMARY KEY (hotel_id, room_type_id)
);

CREATE TYPE room_status AS ENUM ('available', 'occupied', 'dirty', 'out_of_order', 'retired');

CREATE TABLE room (
  hotel_id hotel_identifier NOT NULL,
  room_id hotel_identifier NOT NULL,
  room_type_id hotel_identifier NOT NULL,
  number text NOT NULL CHECK (length(number) BETWEEN 1 AND 16),
  floor smallint NOT NULL DEFAULT 0,
  status room_status NOT NULL DEFAULT 'available',
  -- Counts in total_inventory from its first day on; from the day it retires no longer.
  in_service_from date NOT NULL DEFAULT DATE '2000-01-01',
  retired_from date,
  version bigint NOT NULL DEFAULT 1,
  PRIMARY KEY (hotel_id, room_id),
  FOREIGN KEY (hotel_id, room_type_id) REFERENCES room_type
);
CREATE UNIQUE INDEX room_number ON room (hotel_id, number) WHERE retired_from IS NULL;
CREATE INDEX room_of_type ON room (hotel_id, room_type_id);

-- Both days inclusive, as everywhere. Overlapping intervals of one room count once.
CREATE TABLE room_out_of_order (
  hotel_id hotel_identifier NOT NULL,
  room_id hotel_identifier NOT NULL,
  from_date date NOT NULL,
  to_date date NOT NULL,
  reason text NOT NULL DEFAULT '',
  PRIMARY KEY (hotel_id, room_id, from_date, to_date),
  FOREIGN KEY (hotel_id, room_id) REFERENCES room ON DELETE CASCADE,
  CHECK (from_date <= to_date)
);

CREATE TABLE room_status_move (
  from_status room_status NOT NULL,
  to_status room_status NOT NULL,
  PRIMARY KEY (from_status, to_status)
);
INSERT INTO room_status_move VALUES
  ('available', 'occupied'), ('available', 'dirty'), ('available', 'out_of_order'), ('available', 'retired'),
  ('occupied', 'dirty'),
  ('dirty', 'available'), ('dirty', 'out_of_order'), ('dirty', 'retired'),
  ('out_of_order', 'dirty'), ('out_of_order', 'available'), ('out_of_order', 'retired');

CREATE FUNCTION refuse_undocumented_room_move() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM room_status_move WHERE from_status = OLD.status AND to_status = NEW.status) THEN
    RAISE EXCEPTION 'A room does not go from % to %.', OLD.status, NEW.status USING ERRCODE = 'MH001';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER room_moves BEFORE UPDATE ON room FOR EACH ROW
  WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION refuse_undocumented_room_move();

CREATE FUNCTION refuse_new_meaning_of_hotel() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'The currency and the time zone of a hotel stay as they are, since its prices and days are written in them.'
    USING ERRCODE = 'MH003';
END $$;
CREATE TRIGGER hotel_keeps_its_meaning BEFORE UPDATE ON hotel FOR EACH ROW
  WHEN (OLD.currency <> NEW.currency OR OLD.time_zone <> NEW.time_zone)
  EXECUTE FUNCTION refuse_new_meaning_of_hotel();
`;
