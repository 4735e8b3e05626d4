import { isLimited } from './reserve-by-plan.js';

/**
 * `reserve-one.ts` on the functions of `reserve-by-plan.ts`: for requests without a plan, on days without
 * restrictions.
 *
 * The usual case of `reserve_by_row_locks`: one valid request, without the steps that many requests at once
 * need, so five statements instead of twelve. What does not depend on the counts is read before the days are
 * locked, because requests for the same days wait from then on. In every unusual case nothing has been
 * written and the general function decides.
 */
export const reserveOneByPlan = `
CREATE FUNCTION reserve_one(
  id text, usr text, of_hotel text, of_type text, first_day date, last_day date, rooms integer, asked text,
  clock timestamptz, hold interval, holds_max integer, plan text DEFAULT NULL, adults integer DEFAULT NULL)
RETURNS SETOF reserve_result LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  nights integer := last_day - first_day + 1;
  place record;
  days record;
  prices bigint[];
  made reservation;
BEGIN
  SELECT h.currency, h.time_zone, h.check_in_time, t.free_cancel_hours, t.late_cancel_percent,
      EXISTS (SELECT FROM rate_step s WHERE s.hotel_id = of_hotel) AS stepped INTO place
    FROM hotel h JOIN room_type t ON t.hotel_id = h.hotel_id AND t.room_type_id = of_type
    WHERE plan IS NULL AND adults IS NULL AND h.hotel_id = of_hotel AND h.deleted_at IS NULL AND first_day >= (clock AT TIME ZONE h.time_zone)::date
      AND NOT EXISTS (SELECT FROM reservation v WHERE v.reservation_id = id)
      AND holds_max > (SELECT count(*) FROM (
        SELECT FROM reservation v WHERE v.user_id = usr AND v.status = 'pending_payment' LIMIT holds_max) held);
  IF FOUND AND NOT place.stepped THEN
    SELECT array_agg(r.price_minor ORDER BY r.date) INTO prices FROM room_type_rate r
      WHERE r.hotel_id = of_hotel AND r.room_type_id = of_type AND r.date BETWEEN first_day AND last_day;
    IF cardinality(prices) = nights THEN
      SELECT count(*) AS found, min(d.rooms_left) AS rooms_left, bool_or(d.limited) AS limited INTO days FROM (
        SELECT rooms_sold_at_most(total_inventory, overbooking_percent, sell_limit) - total_reserved AS rooms_left,
            ${isLimited} AS limited
          FROM room_type_inventory
          WHERE hotel_id = of_hotel AND room_type_id = of_type AND date BETWEEN first_day AND last_day
          ORDER BY date FOR NO KEY UPDATE) d;
      IF days.found = nights AND days.rooms_left >= rooms AND NOT days.limited THEN
        UPDATE room_type_inventory SET total_reserved = total_reserved + rooms, version = version + 1
          WHERE hotel_id = of_hotel AND room_type_id = of_type AND date BETWEEN first_day AND last_day;
        INSERT INTO reservation (reservation_id, user_id, hotel_id, room_type_id, start_date, end_date, room_count, night_prices_minor,
          price_minor, currency, hold_expires_at, free_cancel_until, late_cancel_percent, request, created_at, updated_at,
          free_cancel_hours, refundable)
        VALUES (id, usr, of_hotel, of_type, first_day, last_day, rooms, prices,
          rooms * (SELECT sum(p) FROM unnest(prices) p), place.currency, clock + hold,
          (first_day + place.check_in_time) AT TIME ZONE place.time_zone - make_interval(hours => place.free_cancel_hours),
          place.late_cancel_percent, asked, clock, clock, place.free_cancel_hours, true)
        ON CONFLICT (reservation_id) DO NOTHING RETURNING * INTO made;
        IF NOT FOUND THEN
          RAISE EXCEPTION 'The same reservation was made by another call meanwhile.' USING ERRCODE = 'serialization_failure';
        END IF;
        RETURN NEXT ROW(1, 'reserved', NULL, NULL, made)::reserve_result;
        RETURN;
      END IF;
    END IF;
  END IF;
  RETURN QUERY SELECT * FROM reserve_by_row_locks(ARRAY[id], ARRAY[usr], ARRAY[of_hotel], ARRAY[of_type], ARRAY[first_day], ARRAY[last_day],
    ARRAY[rooms], ARRAY[asked], clock, hold, holds_max, ARRAY[plan], ARRAY[adults]);
END $$;
`;
