/**
 * Rate plans of a room type, and prices by the number of adults. Without a plan, a room costs the rate of its
 * type (`room_type_rate`) under the terms of its type.
 */
export const ratePlans = `
CREATE TABLE rate_plan (
  hotel_id hotel_identifier NOT NULL,
  room_type_id hotel_identifier NOT NULL,
  plan_id hotel_identifier NOT NULL,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
  meal text NOT NULL CHECK (meal IN ('none', 'breakfast', 'half_board', 'full_board', 'all_inclusive')),
  -- Not refundable: late_cancel_percent is kept from the booking on.
  refundable boolean NOT NULL,
  free_cancel_hours integer NOT NULL CHECK (free_cancel_hours BETWEEN 0 AND 8760),
  late_cancel_percent smallint NOT NULL CHECK (late_cancel_percent BETWEEN 0 AND 100),
  -- Nights that may be sold under it.
  valid datemultirange NOT NULL,
  -- Own prices are in rate_plan_day. Others follow those of derived_from, or the rate of the room type when
  -- that is NULL: so many percent, then the amount.
  own_prices boolean NOT NULL,
  derived_from hotel_identifier,
  price_percent smallint NOT NULL DEFAULT 100 CHECK (price_percent BETWEEN 1 AND 1000),
  price_amount_minor bigint NOT NULL DEFAULT 0
    CHECK (price_amount_minor > -1000000000000 AND price_amount_minor < 1000000000000),
  PRIMARY KEY (hotel_id, room_type_id, plan_id),
  FOREIGN KEY (hotel_id, room_type_id) REFERENCES room_type,
  FOREIGN KEY (hotel_id, room_type_id, derived_from) REFERENCES rate_plan,
  CHECK (derived_from <> plan_id),
  CHECK (NOT own_prices OR derived_from IS NULL)
);

-- The price and the restrictions of a plan on a day, in addition to those of the room type.
CREATE TABLE rate_plan_day (
  hotel_id hotel_identifier NOT NULL,
  room_type_id hotel_identifier NOT NULL,
  plan_id hotel_identifier NOT NULL,
  date date NOT NULL,
  price_minor bigint CHECK (price_minor > 0 AND price_minor < 1000000000000),
  stop_sell boolean NOT NULL DEFAULT false,
  closed_to_arrival boolean NOT NULL DEFAULT false,
  closed_after boolean NOT NULL DEFAULT false,
  min_stay smallint NOT NULL DEFAULT 1 CHECK (min_stay BETWEEN 1 AND 31),
  max_stay smallint CHECK (max_stay BETWEEN min_stay AND 31),
  PRIMARY KEY (hotel_id, room_type_id, plan_id, date),
  FOREIGN KEY (hotel_id, room_type_id, plan_id) REFERENCES rate_plan ON DELETE CASCADE
);

-- With exactly so many adults in a room; without a row, the price does not depend on them.
CREATE TABLE adult_price (
  hotel_id hotel_identifier NOT NULL,
  room_type_id hotel_identifier NOT NULL,
  adults smallint NOT NULL CHECK (adults BETWEEN 1 AND 50),
  price_percent smallint NOT NULL CHECK (price_percent BETWEEN 1 AND 1000),
  price_amount_minor bigint NOT NULL
    CHECK (price_amount_minor > -1000000000000 AND price_amount_minor < 1000000000000),
  PRIMARY KEY (hotel_id, room_type_id, adults),
  FOREIGN KEY (hotel_id, room_type_id) REFERENCES room_type
);

-- NULL instead of a price that nobody can be asked for.
CREATE FUNCTION adjusted_price(price bigint, percent integer, amount bigint) RETURNS bigint
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN (price * percent + 50) / 100 + amount BETWEEN 1 AND 999999999999
    THEN (price * percent + 50) / 100 + amount END;

-- What one room costs on each of the days by its plan and adults, before the occupancy of the hotel; NULL
-- where the derivation leaves nothing to ask for. A chain of derivations ends, because no plan is stored that
-- would close a circle.
CREATE FUNCTION plan_prices(of_hotel text, of_type text, days date[], of_plan text, of_adults integer)
RETURNS TABLE (night date, price_minor bigint) LANGUAGE plpgsql STABLE SET enable_seqscan = off AS $$
DECLARE
  plan rate_plan;
  source text := of_plan;
  valid datemultirange;
  percents integer[] := '{}';
  amounts bigint[] := '{}';
  step record;
BEGIN
  WHILE source IS NOT NULL LOOP
    SELECT * INTO plan FROM rate_plan p WHERE p.hotel_id = of_hotel AND p.room_type_id = of_type AND p.plan_id = source;
    IF NOT FOUND THEN
      RETURN;
    END IF;
    valid := coalesce(valid, plan.valid);
    EXIT WHEN plan.own_prices;
    percents := plan.price_percent || percents;
    amounts := plan.price_amount_minor || amounts;
    source := plan.derived_from;
  END LOOP;
  SELECT a.price_percent, a.price_amount_minor INTO step FROM adult_price a
    WHERE a.hotel_id = of_hotel AND a.room_type_id = of_type AND a.adults = of_adults;
  IF FOUND THEN
    percents := percents || step.price_percent::integer;
    amounts := amounts || step.price_amount_minor;
  END IF;
  FOR night, price_minor IN
    SELECT r.date, r.price_minor FROM room_type_rate r
      WHERE source IS NULL AND r.hotel_id = of_hotel AND r.room_type_id = of_type AND r.date = ANY (days)
    UNION ALL
    SELECT d.date, d.price_minor FROM rate_plan_day d
      WHERE d.hotel_id = of_hotel AND d.room_type_id = of_type AND d.plan_id = source AND d.date = ANY (days)
  LOOP
    FOR i IN 1 .. cardinality(percents) LOOP
      price_minor := adjusted_price(price_minor, percents[i], amounts[i]);
    END LOOP;
    IF valid IS NULL OR night <@ valid THEN
      RETURN NEXT;
    END IF;
  END LOOP;
END $$;

-- Prices of all types of a hotel on a day are so many percent, by the occupancy of the hotel on that day.
CREATE FUNCTION occupancy_price_percent(of_hotel text, day date) RETURNS integer LANGUAGE sql STABLE
  RETURN coalesce((
    SELECT s.price_percent FROM rate_step s WHERE s.hotel_id = of_hotel AND s.from_occupancy_percent <= (
      SELECT coalesce(100 * sum(i.total_reserved) / nullif(sum(i.total_inventory), 0), 0)
      FROM room_type t, room_type_inventory i
      WHERE t.hotel_id = of_hotel AND i.hotel_id = of_hotel AND i.room_type_id = t.room_type_id AND i.date = day)
    ORDER BY s.from_occupancy_percent DESC LIMIT 1), 100);

DROP FUNCTION night_prices(text, text, date[]);
-- What one room costs in each of the nights that have a price. Without steps nobody counts the hotel's
-- occupancy.
CREATE FUNCTION night_prices(of_hotel text, of_type text, days date[], of_plan text DEFAULT NULL, of_adults integer DEFAULT NULL)
RETURNS TABLE (night date, price_minor bigint) LANGUAGE plpgsql STABLE AS $$
DECLARE
  stepped boolean := EXISTS (SELECT FROM rate_step s WHERE s.hotel_id = of_hotel);
BEGIN
  IF of_plan IS NULL AND of_adults IS NULL THEN
    RETURN QUERY
    SELECT r.date, CASE WHEN stepped THEN (r.price_minor * occupancy_price_percent(of_hotel, r.date) + 50) / 100 ELSE r.price_minor END
    FROM room_type_rate r WHERE r.hotel_id = of_hotel AND r.room_type_id = of_type AND r.date = ANY (days);
  ELSE
    RETURN QUERY
    SELECT p.night, CASE WHEN stepped THEN (p.price_minor * occupancy_price_percent(of_hotel, p.night) + 50) / 100 ELSE p.price_minor END
    FROM plan_prices(of_hotel, of_type, days, of_plan, of_adults) p WHERE p.price_minor IS NOT NULL;
  END IF;
END $$;

-- The first night of a room type from from_day on that a plan derives a price for which nobody can ask.
CREATE FUNCTION night_without_price(of_hotel text, of_type text, from_day date)
RETURNS TABLE (plan_id text, night date) LANGUAGE sql STABLE SET enable_seqscan = off AS $$
  SELECT p.plan_id, q.night FROM rate_plan p, plan_prices(of_hotel, of_type, ARRAY(
      SELECT r.date FROM room_type_rate r WHERE r.hotel_id = of_hotel AND r.room_type_id = of_type AND r.date >= from_day
      UNION SELECT d.date FROM rate_plan_day d WHERE d.hotel_id = of_hotel AND d.room_type_id = of_type AND d.date >= from_day),
    p.plan_id, NULL) q
  WHERE p.hotel_id = of_hotel AND p.room_type_id = of_type AND NOT p.own_prices AND q.price_minor IS NULL
  ORDER BY 1, 2 LIMIT 1
$$;

-- The price of each night from first_day to last_day; NULL where there is none.
CREATE FUNCTION stay_prices(of_hotel text, of_type text, first_day date, last_day date, of_plan text, of_adults integer)
RETURNS bigint[] LANGUAGE sql STABLE AS $$
  SELECT array_agg(n.price_minor ORDER BY d) FROM generate_series(0, last_day - first_day) d
  LEFT JOIN night_prices(of_hotel, of_type, ARRAY(SELECT first_day + i FROM generate_series(0, last_day - first_day) i),
    of_plan, of_adults) n ON n.night = first_day + d
$$;

-- Why a stay may not be sold, whether or not rooms are free: the first of stop-sell, closed-to-arrival,
-- closed-to-departure, minimum-stay and maximum-stay, with the days, and the nights of the last two. NULL:
-- nothing stands against it. The caller has locked the nights, and so does everybody who sets restrictions.
-- Of a stay that is changed and sold already from sold_first to sold_last, only what is sold in addition is
-- asked for, and the length when it changes.
CREATE FUNCTION stay_refusal(of_hotel text, of_type text, of_plan text, first_day date, last_day date,
  sold_first date DEFAULT NULL, sold_last date DEFAULT NULL)
RETURNS TABLE (refusal text, dates date[], nights integer) LANGUAGE plpgsql STABLE SET enable_seqscan = off AS $$
DECLARE
  rules record;
BEGIN
  SELECT array_agg(DISTINCT q.date ORDER BY q.date) FILTER (WHERE q.stop_sell AND (q.date BETWEEN sold_first AND sold_last) IS NOT TRUE) AS stopped,
      coalesce(bool_or(q.closed_to_arrival) FILTER (WHERE q.date = first_day AND q.date IS DISTINCT FROM sold_first), false) AS no_arrival,
      coalesce(bool_or(q.closed_after) FILTER (WHERE q.date = last_day AND q.date IS DISTINCT FROM sold_last), false) AS no_departure,
      coalesce(max(q.min_stay) FILTER (WHERE q.date = first_day), 1) AS least,
      coalesce(min(q.max_stay) FILTER (WHERE q.date = first_day), 31) AS most
    INTO rules FROM (
      SELECT i.date, i.stop_sell, i.closed_to_arrival, i.closed_after, i.min_stay, i.max_stay FROM room_type_inventory i
        WHERE i.hotel_id = of_hotel AND i.room_type_id = of_type AND i.date BETWEEN first_day AND last_day
      UNION ALL
      SELECT p.date, p.stop_sell, p.closed_to_arrival, p.closed_after, p.min_stay, p.max_stay FROM rate_plan_day p
        WHERE p.hotel_id = of_hotel AND p.room_type_id = of_type AND p.plan_id = of_plan AND p.date BETWEEN first_day AND last_day) q;
  dates := ARRAY[first_day];
  IF first_day = sold_first AND last_day = sold_last THEN
    rules.least := 1;
    rules.most := 31;
  END IF;
  CASE
    WHEN rules.stopped IS NOT NULL THEN
      refusal := 'stop-sell';
      dates := rules.stopped;
    WHEN rules.no_arrival THEN
      refusal := 'closed-to-arrival';
    WHEN rules.no_departure THEN
      refusal := 'closed-to-departure';
      dates := ARRAY[last_day + 1];
    WHEN last_day - first_day + 1 < rules.least THEN
      refusal := 'minimum-stay';
      nights := rules.least;
    WHEN last_day - first_day + 1 > rules.most THEN
      refusal := 'maximum-stay';
      nights := rules.most;
    ELSE
      dates := NULL;
  END CASE;
  RETURN NEXT;
END $$;
`;
