/**
 * Rooms that are held for a group. What is held counts in `total_reserved` like a reservation, so everything
 * that sells rooms respects it. A pick-up moves rooms from `held` to a reservation in one transaction.
 */
export const groupBlocks = `
CREATE TABLE group_block (
  hotel_id hotel_identifier NOT NULL REFERENCES hotel,
  block_id hotel_identifier NOT NULL,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
  -- What guests give when they reserve.
  code text COLLATE "C" NOT NULL CHECK (code ~ '^[A-Z0-9-]{4,32}$'),
  start_date date NOT NULL,
  end_date date NOT NULL,
  release_at timestamptz NOT NULL,
  -- The whole request, to tell a retry from another one.
  request text NOT NULL,
  created_at timestamptz NOT NULL,
  -- NULL: open.
  released_at timestamptz,
  PRIMARY KEY (hotel_id, block_id),
  UNIQUE (hotel_id, code),
  CHECK (start_date <= end_date)
);
CREATE INDEX group_block_due ON group_block (release_at) WHERE released_at IS NULL;

CREATE TABLE group_block_night (
  hotel_id hotel_identifier NOT NULL,
  block_id hotel_identifier NOT NULL,
  room_type_id hotel_identifier NOT NULL,
  date date NOT NULL,
  -- Counted in total_reserved and not picked up.
  held integer NOT NULL CHECK (held >= 0),
  picked_up integer NOT NULL DEFAULT 0 CHECK (picked_up >= 0),
  PRIMARY KEY (hotel_id, block_id, room_type_id, date),
  FOREIGN KEY (hotel_id, block_id) REFERENCES group_block
);

CREATE TABLE group_block_reservation (
  reservation_id text COLLATE "C" PRIMARY KEY REFERENCES reservation,
  hotel_id hotel_identifier NOT NULL,
  block_id hotel_identifier NOT NULL,
  FOREIGN KEY (hotel_id, block_id) REFERENCES group_block
);
CREATE INDEX reservations_of_block ON group_block_reservation (hotel_id, block_id);
`;
