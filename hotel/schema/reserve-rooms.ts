/**
 * The whole of a reservation is one call of one function: a transaction, no round trip inside. It takes many
 * requests at once; each is all or nothing, judged in the order given, on the counts that those before it
 * left. Locks are taken in the order (hotel, room type, date) over all of them, then ids in order, so two
 * calls never wait for each other in a ring.
 *
 * Three guards keep two calls from selling the same room; docs/adr/0060 has their figures.
 * - `row_locks`: the days are locked before they are read.
 * - `version`: the days are read unlocked and written only if nobody has written them since.
 * - `constraint`: the days are counted up unread and the trigger `room_type_inventory_cap` refuses what is
 *   too much.
 *
 * serialization_failure asks the caller to call again; nothing has happened then.
 *
 * Each session plans the statements once and keeps the plans. In an empty database a sequential scan of
 * `reservation` is the cheapest plan, and it would stay in use until the table is analyzed. All statements
 * look rows up by their keys, so sequential scans are off.
 */
export const reserveRooms = `
-- What one room costs in each of the nights that have a rate. Without steps nobody counts the hotel's
-- occupancy.
CREATE FUNCTION night_prices(of_hotel text, of_type text, days date[])
RETURNS TABLE (night date, price_minor bigint) LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM rate_step s WHERE s.hotel_id = of_hotel) THEN
    RETURN QUERY SELECT r.date, r.price_minor FROM room_type_rate r
      WHERE r.hotel_id = of_hotel AND r.room_type_id = of_type AND r.date = ANY (days);
    RETURN;
  END IF;
  RETURN QUERY
  SELECT r.date, (r.price_minor * coalesce((
      SELECT s.price_percent FROM rate_step s WHERE s.hotel_id = of_hotel AND s.from_occupancy_percent <= o.percent
      ORDER BY s.from_occupancy_percent DESC LIMIT 1), 100) + 50) / 100
  FROM room_type_rate r, LATERAL (
    SELECT coalesce(100 * sum(i.total_reserved) / nullif(sum(i.total_inventory), 0), 0) AS percent
    FROM room_type t, room_type_inventory i
    WHERE t.hotel_id = of_hotel AND i.hotel_id = of_hotel AND i.room_type_id = t.room_type_id AND i.date = r.date) o
  WHERE r.hotel_id = of_hotel AND r.room_type_id = of_type AND r.date = ANY (days);
END $$;

CREATE TYPE reserve_result AS (place integer, outcome text, dates date[], reserved reservation);

${reserveFunction('row_locks', { lock: 'FOR NO KEY UPDATE', unchanged: '' })}
${reserveFunction('version', { lock: '', unchanged: 'AND version = versions[date - g.first_day + 1]' })}
${reserveFunction('constraint', undefined)}
`;

interface ReadFirst {
  readonly lock: string;
  readonly unchanged: string;
}

function reserveFunction(guard: string, readFirst: ReadFirst | undefined): string {
  return `
CREATE FUNCTION reserve_by_${guard}(
  ids text[], users text[], hotels text[], types text[], starts date[], ends date[], rooms integer[],
  requests text[], clock timestamptz, hold interval, holds_max integer)
RETURNS SETOF reserve_result LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  n integer := cardinality(ids);
  outcomes text[] := array_fill(NULL::text, ARRAY[n]);
  failed text[] := array_fill(NULL::text, ARRAY[n]);
  prices text[] := array_fill(NULL::text, ARRAY[n]);
  totals bigint[] := array_fill(0::bigint, ARRAY[n]);
  currencies text[] := array_fill(NULL::text, ARRAY[n]);
  deadlines timestamptz[] := array_fill(NULL::timestamptz, ARRAY[n]);
  penalties integer[] := array_fill(0, ARRAY[n]);
  admitted integer := 0;
  written integer;
  g record;
  r record;
  place record;
  -- Of one room type, one element for each day from the first asked for.
  days date[];
  free integer[];
  versions integer[];
  taken integer[];
  price bigint[];
  p integer;
  k integer;
  nights integer;
  gaps date[];
  full_days date[];
  unpriced date[];
BEGIN
  FOR r IN SELECT q.i, v.user_id = users[q.i] AS own, v.request = requests[q.i] AS same
    FROM unnest(ids) WITH ORDINALITY q (id, i) JOIN reservation v ON v.reservation_id = q.id
  LOOP
    outcomes[r.i] := CASE WHEN NOT r.own THEN 'taken' WHEN r.same THEN 'repeated' ELSE 'differs' END;
  END LOOP;

  IF n = 1 THEN
    IF outcomes[1] IS NULL AND holds_max <= (SELECT count(*) FROM (
      SELECT FROM reservation v WHERE v.user_id = users[1] AND v.status = 'pending_payment' LIMIT holds_max) held)
    THEN
      outcomes[1] := 'too-many-holds';
    END IF;
  ELSE
    -- A second request with an id that the first one may take now, or whose user may reach his limit by then, is judged when that is over.
    FOR r IN SELECT q.i, q.nth, q.held FROM (
      SELECT i, row_number() OVER (PARTITION BY id ORDER BY i) AS nth, row_number() OVER (PARTITION BY usr ORDER BY i) - 1 AS before,
        (SELECT count(*) FROM (
          SELECT FROM reservation v WHERE v.user_id = usr AND v.status = 'pending_payment' LIMIT holds_max) h) AS held
      FROM unnest(ids, users, outcomes) WITH ORDINALITY u (id, usr, outcome, i) WHERE outcome IS NULL) q
      WHERE q.nth > 1 OR q.held + q.before >= holds_max
    LOOP
      outcomes[r.i] := CASE WHEN r.held >= holds_max AND r.nth = 1 THEN 'too-many-holds' ELSE 'again' END;
    END LOOP;
  END IF;

  FOR g IN
    SELECT q.hotel COLLATE "C" AS hotel, q.type COLLATE "C" AS type, min(q.s) AS first_day, max(q.e) AS last_day,
      array_agg(q.i::integer ORDER BY q.i) AS places
    FROM unnest(hotels, types, starts, ends, outcomes) WITH ORDINALITY q (hotel, type, s, e, outcome, i)
    WHERE q.outcome IS NULL GROUP BY 1, 2 ORDER BY 1, 2
  LOOP
    SELECT h.currency, h.time_zone, h.check_in_time, (clock AT TIME ZONE h.time_zone)::date AS today,
      t.room_type_id IS NOT NULL AS known_type, t.free_cancel_hours, t.late_cancel_percent INTO place
      FROM hotel h LEFT JOIN room_type t ON t.hotel_id = h.hotel_id AND t.room_type_id = g.type
      WHERE h.hotel_id = g.hotel AND h.deleted_at IS NULL;
    IF NOT FOUND OR NOT place.known_type THEN
      FOREACH p IN ARRAY g.places LOOP
        outcomes[p] := CASE WHEN place.known_type IS NULL THEN 'unknown-hotel' ELSE 'unknown-room-type' END;
      END LOOP;
      CONTINUE;
    END IF;

    nights := g.last_day - g.first_day + 1;
    free := array_fill(NULL::integer, ARRAY[nights]);
    taken := array_fill(0, ARRAY[nights]);
    price := array_fill(NULL::bigint, ARRAY[nights]);
    days := ARRAY(SELECT DISTINCT starts[q] + d FROM unnest(g.places) q, generate_series(0, ends[q] - starts[q]) d ORDER BY 1);
${readFirst === undefined ? '' : readDays(readFirst)}
    FOR r IN SELECT * FROM night_prices(g.hotel, g.type, days) LOOP
      price[r.night - g.first_day + 1] := r.price_minor;
    END LOOP;

    FOREACH p IN ARRAY g.places LOOP
      IF starts[p] < place.today THEN
        outcomes[p] := 'past';
        CONTINUE;
      END IF;
      gaps := '{}';
      full_days := '{}';
      unpriced := '{}';
${readFirst === undefined ? countUp() : judge()}
      IF gaps <> '{}' THEN
        outcomes[p] := 'not-bookable';
        failed[p] := gaps;
      ELSIF full_days <> '{}' THEN
        outcomes[p] := 'insufficient';
        failed[p] := full_days;
      ELSIF unpriced <> '{}' THEN
        outcomes[p] := 'no-rate';
        failed[p] := unpriced;
      ELSE
        outcomes[p] := 'reserved';
        admitted := admitted + 1;
        FOR k IN starts[p] - g.first_day + 1 .. ends[p] - g.first_day + 1 LOOP
          free[k] := free[k] - rooms[p];
          taken[k] := taken[k] + rooms[p];
          totals[p] := totals[p] + price[k] * rooms[p];
        END LOOP;
        prices[p] := price[starts[p] - g.first_day + 1 : ends[p] - g.first_day + 1];
        currencies[p] := place.currency;
        deadlines[p] := (starts[p] + place.check_in_time) AT TIME ZONE place.time_zone - make_interval(hours => place.free_cancel_hours);
        penalties[p] := place.late_cancel_percent;
      END IF;
    END LOOP;
${readFirst === undefined ? '' : writeDays(readFirst)}
  END LOOP;

  IF admitted > 0 THEN
    INSERT INTO reservation (reservation_id, user_id, hotel_id, room_type_id, start_date, end_date, room_count, night_prices_minor,
      price_minor, currency, hold_expires_at, free_cancel_until, late_cancel_percent, request, created_at, updated_at)
    SELECT ids[q.i], users[q.i], hotels[q.i], types[q.i], starts[q.i], ends[q.i], rooms[q.i], prices[q.i]::bigint[],
      totals[q.i], currencies[q.i], clock + hold, deadlines[q.i], penalties[q.i], requests[q.i], clock, clock
    FROM unnest(outcomes) WITH ORDINALITY q (outcome, i) WHERE q.outcome = 'reserved' ORDER BY ids[q.i] COLLATE "C"
    ON CONFLICT (reservation_id) DO NOTHING;
    GET DIAGNOSTICS written = ROW_COUNT;
    IF written <> admitted THEN
      RAISE EXCEPTION 'The same reservation was made by another call meanwhile.' USING ERRCODE = 'serialization_failure';
    END IF;
  END IF;

  RETURN QUERY SELECT q.i::integer, q.outcome, failed[q.i]::date[], v
    FROM unnest(ids, outcomes) WITH ORDINALITY q (id, outcome, i)
    LEFT JOIN reservation v ON v.reservation_id = q.id AND q.outcome IN ('reserved', 'repeated');
END $$;`;
}

function readDays({ lock, unchanged }: ReadFirst): string {
  const versions = unchanged !== '';
  return `${versions ? '    versions := free;\n' : ''}    FOR r IN SELECT date - g.first_day + 1 AS day, rooms_sold_at_most(total_inventory) - total_reserved AS rooms_left, version
      FROM room_type_inventory WHERE hotel_id = g.hotel AND room_type_id = g.type AND date = ANY (days) ORDER BY date ${lock}
    LOOP
      free[r.day] := r.rooms_left;${versions ? '\n      versions[r.day] := r.version;' : ''}
    END LOOP;`;
}

/** Between reading and writing; whether all requested nights have a row, enough rooms and a rate. */
function judge(): string {
  return `      FOR k IN starts[p] - g.first_day + 1 .. ends[p] - g.first_day + 1 LOOP
        IF free[k] IS NULL THEN
          gaps := gaps || (g.first_day + k - 1);
        ELSIF free[k] < rooms[p] THEN
          full_days := full_days || (g.first_day + k - 1);
        END IF;
        IF price[k] IS NULL THEN
          unpriced := unpriced || (g.first_day + k - 1);
        END IF;
      END LOOP;`;
}

function writeDays({ unchanged }: ReadFirst): string {
  return `    days := ARRAY(SELECT g.first_day + (q.i - 1)::integer FROM unnest(taken) WITH ORDINALITY q (rooms, i) WHERE q.rooms > 0 ORDER BY q.i);
    IF days <> '{}' THEN
      UPDATE room_type_inventory SET total_reserved = total_reserved + taken[date - g.first_day + 1], version = version + 1
        WHERE hotel_id = g.hotel AND room_type_id = g.type AND date = ANY (days) ${unchanged};
      GET DIAGNOSTICS written = ROW_COUNT;
      IF written <> cardinality(days) THEN
        RAISE EXCEPTION 'The counts were changed by another call meanwhile.' USING ERRCODE = 'serialization_failure';
      END IF;
    END IF;`;
}

/**
 * Night by night in order of date; what was counted up for a request that fails is taken back with its block.
 */
function countUp(): string {
  return `      BEGIN
        FOR k IN starts[p] - g.first_day + 1 .. ends[p] - g.first_day + 1 LOOP
          full_days := ARRAY[g.first_day + k - 1];
          UPDATE room_type_inventory SET total_reserved = total_reserved + rooms[p], version = version + 1
            WHERE hotel_id = g.hotel AND room_type_id = g.type AND date = g.first_day + k - 1;
          IF NOT FOUND THEN
            gaps := gaps || (g.first_day + k - 1);
          END IF;
          IF price[k] IS NULL THEN
            unpriced := unpriced || (g.first_day + k - 1);
          END IF;
        END LOOP;
        full_days := '{}';
        IF gaps <> '{}' OR unpriced <> '{}' THEN
          RAISE EXCEPTION USING ERRCODE = 'MH004';
        END IF;
      EXCEPTION
        WHEN SQLSTATE 'MH004' THEN
          NULL;
        WHEN check_violation THEN
          full_days := coalesce((SELECT array_agg(date ORDER BY date) FROM room_type_inventory
            WHERE hotel_id = g.hotel AND room_type_id = g.type AND date BETWEEN starts[p] AND ends[p]
              AND rooms_sold_at_most(total_inventory) - total_reserved < rooms[p]), full_days);
      END;`;
}
