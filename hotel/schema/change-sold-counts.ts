/** `change_counts` as it was, with the limit of each day instead of 110 % for all. */
export const changeSoldCounts = `
-- Adds deltas[i] to total_reserved on the days from froms[i] to tos[i]; what cancels out is not touched. A
-- room type in which an increase does not fit stays as it is, and its failing days are returned: a gap has no
-- row, the others are full.
CREATE OR REPLACE FUNCTION change_counts(hotels text[], types text[], froms date[], tos date[], deltas integer[])
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
    FOR r IN SELECT i.date, change[i.date - g.first_day + 1]
        > greatest(rooms_sold_at_most(i.total_inventory, i.overbooking_percent, i.sell_limit) - i.total_reserved, 0) AS too_much
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
