/**
 * `room_type_inventory` is the specification's table and a version for the guard that reads one. It is split
 * by hotel, so a reservation stays inside one part and each part is vacuumed by itself; pages keep room, so
 * that counting up rewrites no index.
 */
export const inventory = `
CREATE TABLE room_type_inventory (
  hotel_id text COLLATE "C" NOT NULL,
  room_type_id text COLLATE "C" NOT NULL,
  date date NOT NULL,
  total_inventory integer NOT NULL CHECK (total_inventory >= 0),
  total_reserved integer NOT NULL DEFAULT 0 CHECK (total_reserved >= 0),
  version integer NOT NULL DEFAULT 0,
  PRIMARY KEY (hotel_id, room_type_id, date)
) PARTITION BY HASH (hotel_id);
${Array.from(
  { length: 8 },
  (_, part) => `CREATE TABLE room_type_inventory_${part} PARTITION OF room_type_inventory
  FOR VALUES WITH (MODULUS 8, REMAINDER ${part}) WITH (fillfactor = 70);`,
).join('\n')}

-- 110 % of the rooms, rounded down, and never touched by floating point.
CREATE FUNCTION rooms_sold_at_most(total_inventory integer) RETURNS integer
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN 11 * total_inventory / 10;

-- No CHECK: an operator may take rooms out of order on a full day. Only an increase beyond the cap is
-- refused.
CREATE FUNCTION refuse_overselling() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'On % there are not enough rooms of type %.', NEW.date, NEW.room_type_id
    USING ERRCODE = 'check_violation', CONSTRAINT = 'room_type_inventory_cap', COLUMN = 'total_reserved';
END $$;
CREATE TRIGGER room_type_inventory_cap BEFORE UPDATE ON room_type_inventory FOR EACH ROW
  WHEN (NEW.total_reserved > OLD.total_reserved AND 10 * NEW.total_reserved > 11 * NEW.total_inventory)
  EXECUTE FUNCTION refuse_overselling();
`;
