/**
 * Counts rooms up and down after the first booking: releases, swaps of dates, rooms that join or leave a
 * type. Locks lie in the order of `reserve_by_row_locks`. `soldAtMost`: the rooms that may be sold on the day
 * `i`. Both migrations that call it are recorded by their hash, so what follows must not change.
 */
export const changeCountsFunction = (create: 'CREATE' | 'CREATE OR REPLACE', soldAtMost: string): string => `
-- Adds deltas[i] to total_reserved on the days from froms[i] to tos[i]; what cancels out is not touched. A
-- room type in which an increase does not fit stays as it is, and its failing days are returned: a gap has no
-- row, the others are full.
${create} FUNCTION change_counts(hotels text[], types text[], froms date[], tos date[], deltas integer[])
RETURNS TABLE (day date, gap boolean) LANGUAGE plpgsql AS $$
DECLARE
  g record;
  r record;
  change integer[];
  days date[];
  bad boolean;
  found_days date[];
BEGIN
  FOR g IN
    SELECT q.hotel COLLATE "C" AS hotel, q.type COLLATE "C" AS type, min(q.f) AS first_day, max(q.t) AS last_day, array_agg(q.i) AS places
    FROM unnest(hotels, types, froms, tos) WITH ORDINALITY q (hotel, type, f, t, i) GROUP BY 1, 2 ORDER BY 1, 2
  LOOP
    change := array_fill(0, ARRAY[g.last_day - g.first_day + 1]);
    FOR r IN SELECT froms[i] + d - g.first_day + 1 AS slot, sum(deltas[i])::integer AS delta
      FROM unnest(g.places) i, generate_series(0, tos[i] - froms[i]) d GROUP BY 1
    LOOP
      change[r.slot] := r.delta;
    END LOOP;
    days := ARRAY(SELECT g.first_day + (q.i - 1)::integer FROM unnest(change) WITH ORDINALITY q (delta, i) WHERE q.delta <> 0 ORDER BY q.i);
    bad := false;
    found_days := '{}';
    FOR r IN SELECT i.date, change[i.date - g.first_day + 1] > greatest(${soldAtMost} - i.total_reserved, 0) AS too_much
      FROM room_type_inventory i WHERE i.hotel_id = g.hotel AND i.room_type_id = g.type AND i.date = ANY (days)
      ORDER BY i.date FOR NO KEY UPDATE
    LOOP
      found_days := found_days || r.date;
      IF r.too_much THEN
        bad := true;
        day := r.date;
        gap := false;
        RETURN NEXT;
      END IF;
    END LOOP;
    FOR day IN SELECT unnest(days) EXCEPT SELECT unnest(found_days) ORDER BY 1 LOOP
      bad := true;
      gap := true;
      RETURN NEXT;
    END LOOP;
    IF NOT bad AND days <> '{}' THEN
      UPDATE room_type_inventory i SET total_reserved = i.total_reserved + change[i.date - g.first_day + 1], version = i.version + 1
        WHERE i.hotel_id = g.hotel AND i.room_type_id = g.type AND i.date = ANY (days);
    END IF;
  END LOOP;
END $$;
`;

export const changeCounts = `${changeCountsFunction('CREATE', 'rooms_sold_at_most(i.total_inventory)')}
-- How many rooms of a type can be let on each day: those in service, less those out of order then.
CREATE FUNCTION rooms_to_let(of_hotel text, of_type text, first_day date, last_day date)
RETURNS TABLE (day date, rooms integer) LANGUAGE sql STABLE AS $$
  SELECT first_day + d, (
    SELECT count(*)::integer FROM room r
    WHERE r.hotel_id = of_hotel AND r.room_type_id = of_type
      AND r.in_service_from <= first_day + d AND (r.retired_from IS NULL OR r.retired_from > first_day + d)
      AND NOT EXISTS (SELECT FROM room_out_of_order o WHERE o.hotel_id = r.hotel_id AND o.room_id = r.room_id
        AND first_day + d BETWEEN o.from_date AND o.to_date))
  FROM generate_series(0, last_day - first_day) d
$$;

-- Sets total_inventory by the rooms there are, after rooms of the type changed in the same transaction. The
-- room type is locked first: another change, or the daily job, counts only after this one has ended.
CREATE FUNCTION recount_rooms(of_hotel text, of_type text, first_day date, last_day date)
RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  changed integer;
BEGIN
  PERFORM FROM room_type t WHERE t.hotel_id = of_hotel AND t.room_type_id = of_type FOR NO KEY UPDATE;
  PERFORM FROM room_type_inventory i WHERE i.hotel_id = of_hotel AND i.room_type_id = of_type AND i.date BETWEEN first_day AND last_day
    ORDER BY i.date FOR NO KEY UPDATE;
  UPDATE room_type_inventory i SET total_inventory = n.rooms, version = i.version + 1
    FROM rooms_to_let(of_hotel, of_type, first_day, last_day) n
    WHERE i.hotel_id = of_hotel AND i.room_type_id = of_type AND i.date = n.day AND i.total_inventory <> n.rooms;
  GET DIAGNOSTICS changed = ROW_COUNT;
  RETURN changed;
END $$;

-- Adds the days that are missing between the newest one of each room type (or today) and days_ahead from
-- today, as it is in the hotel.
CREATE FUNCTION fill_inventory(of_hotels text[], clock timestamptz, days_ahead integer)
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  t record;
  first_day date;
  added bigint := 0;
  n bigint;
BEGIN
  FOR t IN SELECT rt.hotel_id, rt.room_type_id, (clock AT TIME ZONE h.time_zone)::date AS today
    FROM room_type rt JOIN hotel h USING (hotel_id) WHERE rt.hotel_id = ANY (of_hotels) AND h.deleted_at IS NULL
    ORDER BY rt.hotel_id, rt.room_type_id FOR SHARE OF rt
  LOOP
    SELECT greatest(max(i.date) + 1, t.today) INTO first_day FROM room_type_inventory i
      WHERE i.hotel_id = t.hotel_id AND i.room_type_id = t.room_type_id;
    first_day := coalesce(first_day, t.today);
    INSERT INTO room_type_inventory (hotel_id, room_type_id, date, total_inventory)
      SELECT t.hotel_id, t.room_type_id, r.day, r.rooms FROM rooms_to_let(t.hotel_id, t.room_type_id, first_day, t.today + days_ahead) r
      ON CONFLICT DO NOTHING;
    GET DIAGNOSTICS n = ROW_COUNT;
    added := added + n;
  END LOOP;
  RETURN added;
END $$;
`;
