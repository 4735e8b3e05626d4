/** Whether a day of the inventory has any restriction. */
export const isLimited =
  '(stop_sell OR closed_to_arrival OR closed_after OR min_stay > 1 OR max_stay IS NOT NULL)';

const askRefusal = `        SELECT s.refusal, s.dates, s.nights INTO refusal, refused_days, refused_nights
          FROM stay_refusal(g.hotel, g.type, plans[p], starts[p], ends[p]) s;`;

/**
 * `reserve-rooms.ts` with rate plans, adults, restrictions and the overbooking of each day; it replaces it.
 *
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
 * Each session plans the statements once and keeps the plans: by default PostgreSQL would plan those on the
 * parts of the inventory in each call, a quarter of the CPU. In an empty database a sequential scan of
 * `reservation` is the cheapest plan, and it would stay in use until the table is analyzed. All statements
 * look rows up by their keys, so sequential scans are off.
 */
export const reserveByPlan = `
ALTER TABLE reservation
  -- The plan under which it was sold, as it was then; NULL: the rate and the terms of the room type.
  ADD COLUMN rate_plan_id text COLLATE "C",
  ADD COLUMN rate_plan_name text,
  ADD COLUMN meal text,
  -- In each room, if the guest said so.
  ADD COLUMN adults smallint CHECK (adults > 0),
  -- NULL: sold before this column existed.
  ADD COLUMN free_cancel_hours integer,
  ADD COLUMN refundable boolean;

DROP FUNCTION reserve_one(text, text, text, text, date, date, integer, text, timestamptz, interval, integer);
DROP FUNCTION reserve_by_row_locks(text[], text[], text[], text[], date[], date[], integer[], text[], timestamptz, interval, integer);
DROP FUNCTION reserve_by_version(text[], text[], text[], text[], date[], date[], integer[], text[], timestamptz, interval, integer);
DROP FUNCTION reserve_by_constraint(text[], text[], text[], text[], date[], date[], integer[], text[], timestamptz, interval, integer);
DROP TYPE reserve_result;
DROP FUNCTION rooms_sold_at_most(integer);

-- nights: the length that a restriction allows, with the outcomes minimum-stay and maximum-stay.
CREATE TYPE reserve_result AS (place integer, outcome text, dates date[], nights integer, reserved reservation);

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
  requests text[], clock timestamptz, hold interval, holds_max integer, plans text[] DEFAULT NULL, adults integer[] DEFAULT NULL)
RETURNS SETOF reserve_result LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  n integer := cardinality(ids);
  outcomes text[] := array_fill(NULL::text, ARRAY[n]);
  failed text[] := array_fill(NULL::text, ARRAY[n]);
  prices text[] := array_fill(NULL::text, ARRAY[n]);
  totals bigint[] := array_fill(0::bigint, ARRAY[n]);
  currencies text[] := array_fill(NULL::text, ARRAY[n]);
  deadlines timestamptz[] := array_fill(NULL::timestamptz, ARRAY[n]);
  penalties integer[] := array_fill(0, ARRAY[n]);
  lengths integer[] := array_fill(NULL::integer, ARRAY[n]);
  names text[] := array_fill(NULL::text, ARRAY[n]);
  meals text[] := array_fill(NULL::text, ARRAY[n]);
  free_hours integer[] := array_fill(NULL::integer, ARRAY[n]);
  -- Kept in part or whole from the booking on.
  firm boolean[] := array_fill(false, ARRAY[n]);
  admitted integer := 0;
  written integer;
  g record;
  r record;
  place record;
  terms record;
  -- Of one room type, one element for each day from the first asked for.
  days date[];
  free integer[];
  versions integer[];
  taken integer[];
  rates bigint[];
  price bigint[];
  -- Whether any of the days has a restriction; most have none, and none is looked for then.
  limited boolean;
  refusal text;
  refused_days date[];
  refused_nights integer;
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
      t.room_type_id IS NOT NULL AS known_type, t.capacity, t.free_cancel_hours, t.late_cancel_percent INTO place
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
    rates := array_fill(NULL::bigint, ARRAY[nights]);
    limited := false;
    days := ARRAY(SELECT DISTINCT starts[q] + d FROM unnest(g.places) q, generate_series(0, ends[q] - starts[q]) d ORDER BY 1);
${readFirst === undefined ? '' : readDays(readFirst)}
    FOR r IN SELECT * FROM night_prices(g.hotel, g.type, days) LOOP
      rates[r.night - g.first_day + 1] := r.price_minor;
    END LOOP;

    FOREACH p IN ARRAY g.places LOOP
      IF starts[p] < place.today THEN
        outcomes[p] := 'past';
        CONTINUE;
      END IF;
      price := rates;
      free_hours[p] := place.free_cancel_hours;
      penalties[p] := place.late_cancel_percent;
      IF adults[p] > place.capacity THEN
        outcomes[p] := 'too-many-adults';
        CONTINUE;
      END IF;
      IF plans[p] IS NOT NULL THEN
        -- Terms and prices in one statement, so both are those of one moment.
        SELECT t.name, t.meal, t.refundable, t.free_cancel_hours, t.late_cancel_percent,
            stay_prices(g.hotel, g.type, starts[p], ends[p], plans[p], adults[p]) AS prices INTO terms
          FROM rate_plan t WHERE t.hotel_id = g.hotel AND t.room_type_id = g.type AND t.plan_id = plans[p];
        IF NOT FOUND THEN
          outcomes[p] := 'unknown-rate-plan';
          CONTINUE;
        END IF;
        price[starts[p] - g.first_day + 1 : ends[p] - g.first_day + 1] := terms.prices;
        names[p] := terms.name;
        meals[p] := terms.meal;
        firm[p] := NOT terms.refundable;
        free_hours[p] := terms.free_cancel_hours;
        penalties[p] := terms.late_cancel_percent;
      ELSIF adults[p] IS NOT NULL THEN
        price[starts[p] - g.first_day + 1 : ends[p] - g.first_day + 1] :=
          stay_prices(g.hotel, g.type, starts[p], ends[p], NULL, adults[p]);
      END IF;
      refusal := NULL;
      gaps := '{}';
      full_days := '{}';
      unpriced := '{}';
${readFirst === undefined ? countUp() : judge()}
      IF gaps <> '{}' THEN
        outcomes[p] := 'not-bookable';
        failed[p] := gaps;
      ELSIF refusal IS NOT NULL THEN
        outcomes[p] := refusal;
        failed[p] := refused_days;
        lengths[p] := refused_nights;
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
        deadlines[p] := CASE WHEN firm[p] THEN clock - interval '1 second'
          ELSE (starts[p] + place.check_in_time) AT TIME ZONE place.time_zone - make_interval(hours => free_hours[p]) END;
      END IF;
    END LOOP;
${readFirst === undefined ? '' : writeDays(readFirst)}
  END LOOP;

  IF admitted > 0 THEN
    INSERT INTO reservation (reservation_id, user_id, hotel_id, room_type_id, start_date, end_date, room_count, night_prices_minor,
      price_minor, currency, hold_expires_at, free_cancel_until, late_cancel_percent, request, created_at, updated_at,
      rate_plan_id, rate_plan_name, meal, adults, free_cancel_hours, refundable)
    SELECT ids[q.i], users[q.i], hotels[q.i], types[q.i], starts[q.i], ends[q.i], rooms[q.i], prices[q.i]::bigint[],
      totals[q.i], currencies[q.i], clock + hold, deadlines[q.i], penalties[q.i], requests[q.i], clock, clock,
      plans[q.i], names[q.i], meals[q.i], adults[q.i], free_hours[q.i], NOT firm[q.i]
    FROM unnest(outcomes) WITH ORDINALITY q (outcome, i) WHERE q.outcome = 'reserved' ORDER BY ids[q.i] COLLATE "C"
    ON CONFLICT (reservation_id) DO NOTHING;
    GET DIAGNOSTICS written = ROW_COUNT;
    IF written <> admitted THEN
      RAISE EXCEPTION 'The same reservation was made by another call meanwhile.' USING ERRCODE = 'serialization_failure';
    END IF;
  END IF;

  RETURN QUERY SELECT q.i::integer, q.outcome, failed[q.i]::date[], lengths[q.i], v
    FROM unnest(ids, outcomes) WITH ORDINALITY q (id, outcome, i)
    LEFT JOIN reservation v ON v.reservation_id = q.id AND q.outcome IN ('reserved', 'repeated');
END $$;`;
}

function readDays({ lock, unchanged }: ReadFirst): string {
  const versions = unchanged !== '';
  return `${versions ? '    versions := free;\n' : ''}    FOR r IN SELECT date - g.first_day + 1 AS day, version,
        rooms_sold_at_most(total_inventory, overbooking_percent, sell_limit) - total_reserved AS rooms_left,
        ${isLimited} AS limited
      FROM room_type_inventory WHERE hotel_id = g.hotel AND room_type_id = g.type AND date = ANY (days) ORDER BY date ${lock}
    LOOP
      free[r.day] := r.rooms_left;
      limited := limited OR r.limited;${versions ? '\n      versions[r.day] := r.version;' : ''}
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
      END LOOP;
      IF limited OR plans[p] IS NOT NULL THEN
${askRefusal}
      END IF;`;
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
${askRefusal}
        IF gaps <> '{}' OR unpriced <> '{}' OR refusal IS NOT NULL THEN
          RAISE EXCEPTION USING ERRCODE = 'MH004';
        END IF;
      EXCEPTION
        WHEN SQLSTATE 'MH004' THEN
          NULL;
        WHEN check_violation THEN
          full_days := coalesce((SELECT array_agg(date ORDER BY date) FROM room_type_inventory
            WHERE hotel_id = g.hotel AND room_type_id = g.type AND date BETWEEN starts[p] AND ends[p]
              AND rooms_sold_at_most(total_inventory, overbooking_percent, sell_limit) - total_reserved < rooms[p]), full_days);
${askRefusal}
      END;`;
}
