/**
 * Guests who wait for rooms of a type. The reservation that they may get has its id from the beginning, so it
 * is offered once.
 */
export const waitlist = `
CREATE TYPE waitlist_status AS ENUM ('waiting', 'offered', 'withdrawn', 'lapsed');

CREATE TABLE waitlist_entry (
  entry_id text COLLATE "C" PRIMARY KEY CHECK (length(entry_id) BETWEEN 1 AND 64),
  sequence bigint GENERATED ALWAYS AS IDENTITY,
  user_id text COLLATE "C" NOT NULL,
  hotel_id text COLLATE "C" NOT NULL,
  room_type_id text COLLATE "C" NOT NULL,
  start_date date NOT NULL,
  end_date date NOT NULL,
  room_count smallint NOT NULL CHECK (room_count > 0),
  status waitlist_status NOT NULL DEFAULT 'waiting',
  reservation_id text COLLATE "C" NOT NULL UNIQUE,
  created_at timestamptz NOT NULL,
  CHECK (start_date <= end_date),
  FOREIGN KEY (hotel_id, room_type_id) REFERENCES room_type
);
CREATE INDEX waitlist_waiting ON waitlist_entry (sequence) WHERE status = 'waiting';
CREATE INDEX waitlist_offered ON waitlist_entry (sequence) WHERE status = 'offered';
CREATE INDEX waitlist_of_user ON waitlist_entry (user_id, sequence DESC);

CREATE TABLE waitlist_status_move (
  from_status waitlist_status NOT NULL,
  to_status waitlist_status NOT NULL,
  PRIMARY KEY (from_status, to_status)
);
INSERT INTO waitlist_status_move VALUES
  ('waiting', 'offered'), ('waiting', 'withdrawn'), ('waiting', 'lapsed'), ('offered', 'lapsed');

CREATE FUNCTION refuse_undocumented_waitlist_move() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM waitlist_status_move WHERE from_status = OLD.status AND to_status = NEW.status) THEN
    RAISE EXCEPTION 'A place on the waitlist does not go from % to %.', OLD.status, NEW.status USING ERRCODE = 'MH001';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER waitlist_moves BEFORE UPDATE ON waitlist_entry FOR EACH ROW
  WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION refuse_undocumented_waitlist_move();
`;
