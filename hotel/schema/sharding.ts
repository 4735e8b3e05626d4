/** Tables with rows of hotels, those that others refer to first; the key names the hotel or a reservation. */
const tables: ReadonlyArray<readonly [name: string, key: string, sort?: string]> = [
  ['hotel', 'hotel_id'],
  ['room_type', 'hotel_id'],
  ['room', 'hotel_id'],
  ['room_out_of_order', 'hotel_id'],
  ['room_type_inventory', 'hotel_id'],
  ['room_type_rate', 'hotel_id'],
  ['rate_step', 'hotel_id'],
  ['hotel_tax', 'hotel_id'],
  ['rate_plan', 'hotel_id', 'derived_from NULLS FIRST'],
  ['rate_plan_day', 'hotel_id'],
  ['adult_price', 'hotel_id'],
  ['channel_feed', 'hotel_id'],
  ['invoice_number', 'hotel_id'],
  ['operator_request', 'hotel_id'],
  ['waitlist_entry', 'hotel_id'],
  ['reservation', 'hotel_id'],
  ['reservation_status_history', 'reservation_id'],
  ['room_night', 'hotel_id'],
  ['folio_entry', 'reservation_id', 'entry_no'],
  ['invoice', 'hotel_id'],
  ['guest_key', 'reservation_id'],
  ['guest', 'reservation_id'],
  ['payment_answer', 'reservation_id'],
  ['staff_refund', 'reservation_id'],
  ['stay_payment', 'reservation_id'],
  ['stay_supplement', 'reservation_id'],
  ['group_block', 'hotel_id'],
  ['group_block_night', 'hotel_id'],
  ['group_block_reservation', 'hotel_id'],
  ['hotel_house_rules', 'hotel_id'],
  ['channel_pending', 'hotel_id'],
  ['staff_action', 'subject'],
];

/** One call: PostgreSQL reads the condition of each trigger again for each statement. */
const notByMove = 'NOT is_move()';

/**
 * Hotels on several servers. The directory (`hotel_place`, `reservation_place`, `hotel_move`) is used in the
 * database of `SQL` only; each server has its own name and fences. A fence refuses every change of a hotel
 * that this server does not have, or that is being moved. Its triggers exist only where there are several
 * servers; see docs/adr/0166.
 */
export const sharding = `
-- Which of the servers this database is, once there are several.
CREATE TABLE hotel_server (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  name text NOT NULL,
  number integer NOT NULL CHECK (number BETWEEN 0 AND 63),
  -- Rises with each change of a fence.
  fences bigint NOT NULL DEFAULT 0
);

-- In the directory: the number of each server beside its own, which is 0.
CREATE TABLE hotel_server_number (
  name text PRIMARY KEY,
  number integer NOT NULL UNIQUE CHECK (number BETWEEN 1 AND 63)
);
CREATE FUNCTION name_hotel_server(new_name text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  LOCK TABLE hotel_server_number IN SHARE ROW EXCLUSIVE MODE;
  INSERT INTO hotel_server_number SELECT new_name, coalesce(max(number), 0) + 1 FROM hotel_server_number
    ON CONFLICT (name) DO NOTHING;
END $$;

-- Hotels that are or were elsewhere; all others are on the server that has this directory.
CREATE TABLE hotel_place (
  hotel_id text COLLATE "C" PRIMARY KEY,
  server text NOT NULL,
  -- Nothing of it may change now.
  is_paused boolean NOT NULL DEFAULT false,
  version bigint NOT NULL UNIQUE
);
CREATE SEQUENCE hotel_place_version;

-- The hotel that a reservation id names, as schemas/reservation-id.ts has it.
CREATE FUNCTION hotel_named_by(reservation text) RETURNS text LANGUAGE sql IMMUTABLE
  RETURN substring(reservation FROM '^(.+)~[^~]{16,}$');

-- The hotel of each reservation id that names none, from before it is reserved. Ids without a row are of
-- hotels that never left.
CREATE TABLE reservation_place (
  reservation_id text COLLATE "C" PRIMARY KEY CHECK (length(reservation_id) BETWEEN 1 AND 64),
  hotel_id text COLLATE "C" NOT NULL
);

-- A move in progress. Each run of it has another move_id, and only the newest one gets further.
CREATE TABLE hotel_move (
  hotel_id text COLLATE "C" PRIMARY KEY,
  move_id bigint NOT NULL,
  from_server text NOT NULL,
  to_server text NOT NULL,
  step text NOT NULL CHECK (step IN ('copying', 'switched')),
  alive_at timestamptz NOT NULL
);

-- open: as without a row. arriving: being copied to here. draining, leaving: still read here. gone: elsewhere.
-- The row stays for good, so that an older run of a move finds a higher move_id.
CREATE TABLE hotel_fence (
  hotel_id text COLLATE "C" PRIMARY KEY,
  move_id bigint NOT NULL,
  state text NOT NULL CHECK (state IN ('open', 'arriving', 'draining', 'leaving', 'gone'))
);
CREATE FUNCTION hotel_is_here(of_hotel text) RETURNS boolean LANGUAGE sql STABLE
  RETURN NOT EXISTS (SELECT FROM hotel_fence f WHERE f.hotel_id = of_hotel AND f.state IN ('arriving', 'gone'));

-- For jobs that change what they find.
CREATE FUNCTION hotel_is_open(of_hotel text) RETURNS boolean LANGUAGE sql STABLE
  RETURN NOT EXISTS (SELECT FROM hotel_fence f WHERE f.hotel_id = of_hotel AND f.state <> 'open');

-- Whether a move of a hotel of this database is what changes rows: it copies and deletes them as they are.
CREATE FUNCTION is_move() RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF coalesce(current_setting('meridian.move', true), '') = '' THEN
    RETURN false;
  END IF;
  RETURN EXISTS (SELECT FROM hotel_fence WHERE move_id = current_setting('meridian.move', true)::bigint);
END $$;

-- What moves with a hotel, in the order of the references. A migration that adds such a table calls move_table.
CREATE TABLE hotel_moved_table (
  position integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL UNIQUE,
  key text NOT NULL CHECK (key IN ('hotel_id', 'reservation_id', 'subject')),
  -- Of rows that refer to others of their table.
  sort text
);

-- Adds a table to those that move. Its triggers, which compute, publish or refuse, leave a move alone.
CREATE FUNCTION move_table(of_table text, of_key text, of_sort text DEFAULT NULL) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  t record;
  otherwise text := $when$${notByMove}$when$;
BEGIN
  FOR t IN SELECT g.tgname, pg_get_triggerdef(g.oid) AS def FROM pg_trigger g
    WHERE NOT g.tgisinternal AND g.tgparentid = 0 AND g.tgrelid = of_table::regclass
  LOOP
    EXECUTE format('DROP TRIGGER %I ON %I', t.tgname, of_table);
    EXECUTE CASE WHEN t.def ~ ' WHEN \\('
      THEN regexp_replace(t.def, ' WHEN \\((.*)\\) EXECUTE FUNCTION', ' WHEN ((\\1) AND (' || otherwise || ')) EXECUTE FUNCTION')
      ELSE replace(t.def, ' EXECUTE FUNCTION', ' WHEN (' || otherwise || ') EXECUTE FUNCTION') END;
  END LOOP;
  INSERT INTO hotel_moved_table (name, key, sort) VALUES (of_table, of_key, of_sort);
  IF EXISTS (SELECT FROM hotel_server) THEN
    PERFORM fence_table(of_table, of_key);
  END IF;
END $$;

-- The history of a reservation is written by triggers of the reservation, whose fence is enough. So it is
-- for counts of reserved rooms: they change only with a reservation or a block, in the same transaction, and
-- a call for each hotel of a batch would be the dearest part of a fence. What else changes days is checked
-- row by row.
CREATE FUNCTION fence_table(of_table text, of_key text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  e record;
BEGIN
  FOR e IN SELECT * FROM (VALUES ('INSERT', 'NEW'), ('UPDATE', 'OLD'), ('DELETE', 'OLD')) v (event, side)
    WHERE of_table <> 'reservation_status_history' AND (of_table, event) <> ('room_type_inventory', 'UPDATE')
  LOOP
    EXECUTE format('CREATE TRIGGER %I AFTER %s ON %I REFERENCING %s TABLE AS touched
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_moved_hotels(%L)', 'fence_' || lower(e.event), e.event, of_table, e.side, of_key);
  END LOOP;
  IF of_table = 'room_type_inventory' THEN
    CREATE TRIGGER fence_update AFTER UPDATE ON room_type_inventory FOR EACH ROW
      WHEN (OLD.total_reserved = NEW.total_reserved) EXECUTE FUNCTION refuse_moved_day();
  END IF;
END $$;

-- The lock is shared by all who change the hotel; a move sets its fence alone. Whoever waited for it sees the
-- fence, because each statement here has a new snapshot. A transaction with one snapshot fails to lock the row
-- of the server when a fence has changed since, and is tried again.
CREATE FUNCTION refuse_moved(hotels text[], of_table text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  mover bigint := nullif(current_setting('meridian.move', true), '');
BEGIN
  PERFORM pg_advisory_xact_lock_shared(hashtextextended(h, 166)) FROM unnest(hotels) h WHERE h IS NOT NULL;
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    PERFORM FROM hotel_server FOR SHARE;
  END IF;
  IF EXISTS (SELECT FROM unnest(hotels) h LEFT JOIN hotel_fence f ON f.hotel_id = h WHERE h IS NOT NULL AND CASE
    WHEN mover IS NULL THEN f.state <> 'open' AND NOT (f.state = 'draining' AND of_table = 'channel_pending')
    ELSE f.move_id IS DISTINCT FROM mover END)
  THEN
    RAISE EXCEPTION 'The hotel is on another server, or is being moved.' USING ERRCODE = 'MH010';
  END IF;
END $$;

CREATE FUNCTION refuse_moved_day() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM refuse_moved(ARRAY[NEW.hotel_id::text], TG_TABLE_NAME);
  RETURN NULL;
END $$;

CREATE FUNCTION refuse_moved_hotels() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  hotels text[];
BEGIN
  CASE TG_ARGV[0]
    WHEN 'hotel_id' THEN
      SELECT array_agg(DISTINCT t.hotel_id::text) INTO hotels FROM touched t;
    WHEN 'subject' THEN
      SELECT array_agg(DISTINCT coalesce((SELECT r.hotel_id::text FROM reservation r WHERE r.reservation_id = t.subject),
        (SELECT h.hotel_id::text FROM hotel h WHERE h.hotel_id = t.subject))) INTO hotels FROM touched t;
    ELSE
      SELECT array_agg(DISTINCT (SELECT r.hotel_id::text FROM reservation r WHERE r.reservation_id = t.reservation_id))
        INTO hotels FROM touched t;
  END CASE;
  IF hotels IS NOT NULL THEN
    PERFORM refuse_moved(hotels, TG_TABLE_NAME);
  END IF;
  RETURN NULL;
END $$;

-- What a server numbers, with the last number. Those of server n are n modulo 64, so moved rows keep theirs.
CREATE FUNCTION hotel_numbers() RETURNS TABLE (of_sequence text, last bigint) LANGUAGE sql STABLE AS $$
  SELECT s, coalesce(pg_sequence_last_value(s::regclass), 0) FROM (VALUES
    ('hotel_outbox', 'event_id'), ('reservation', 'sequence'), ('reservation_status_history', 'position'),
    ('staff_action', 'action_id'), ('folio_entry', 'entry_no'), ('staff_refund', 'refund_no'),
    ('stay_payment', 'payment_no'),
    ('waitlist_entry', 'sequence'), ('channel_pending', 'stamp')) n (of_table, of_column),
    pg_get_serial_sequence(of_table, of_column) s;
$$;

-- From now on, numbers are above the given ones, which are those of another server: what happens to a hotel
-- after a move is later than what happened before. Others may take numbers meanwhile, fewer than a thousand.
CREATE FUNCTION raise_hotel_numbers(sequences text[], above bigint[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  own integer := (SELECT number FROM hotel_server);
  r record;
BEGIN
  FOR r IN SELECT n.of_sequence, q.above FROM unnest(sequences, above) q (of_sequence, above)
    JOIN hotel_numbers() n USING (of_sequence) WHERE n.last < q.above + 64 * 1000
  LOOP
    PERFORM setval(r.of_sequence::regclass, (r.above / 64 + 2000) * 64 + own);
  END LOOP;
END $$;

-- Makes this database the server of a name, for good.
CREATE FUNCTION become_hotel_server(new_name text, new_number integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  known hotel_server;
  r record;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('hotel_server', 166));
  SELECT * INTO known FROM hotel_server;
  IF FOUND THEN
    IF (known.name, known.number) IS DISTINCT FROM (new_name, new_number) THEN
      RAISE EXCEPTION 'This database is the hotel server %, number %, not %, number %.',
        known.name, known.number, new_name, new_number USING ERRCODE = 'MH011';
    END IF;
    RETURN;
  END IF;
  IF new_number > 0 AND EXISTS (SELECT FROM hotel) THEN
    RAISE EXCEPTION 'It already has hotels.' USING ERRCODE = 'MH011';
  END IF;
  IF EXISTS (SELECT FROM reservation WHERE hotel_named_by(reservation_id) <> hotel_id) THEN
    RAISE EXCEPTION 'A reservation has an id that names another hotel.' USING ERRCODE = 'MH011';
  END IF;
  INSERT INTO hotel_server (name, number) VALUES (new_name, new_number);
  FOR r IN SELECT of_sequence FROM hotel_numbers() LOOP
    EXECUTE format('ALTER SEQUENCE %s INCREMENT BY 64', r.of_sequence);
  END LOOP;
  PERFORM raise_hotel_numbers(array_agg(of_sequence), array_agg(last)) FROM hotel_numbers();
  PERFORM fence_table(name, key) FROM hotel_moved_table;
END $$;

${tables.map(([name, key, sort]) => `SELECT move_table('${name}', '${key}'${sort === undefined ? '' : `, '${sort}'`});`).join('\n')}
`;
