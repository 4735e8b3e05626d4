/**
 * Taxes and fees of a country, and those that hold for each hotel: its country's, or others that an operator
 * set in place of them. A reservation keeps the rules that it was made under, as it keeps its prices.
 * `hotel/taxes/tax-rule.ts` describes a rule, `hotel/taxes/tax-lines.ts` computes; here is only what a new
 * reservation needs: the sum that is charged on top of the price of its nights. It looks up one row.
 */
export const taxes = `
-- ISO 3166-1, two letters.
ALTER TABLE hotel ADD COLUMN country text CHECK (country ~ '^[A-Z]{2}$');

CREATE TABLE country_tax (
  country text PRIMARY KEY CHECK (country ~ '^[A-Z]{2}$'),
  rules jsonb NOT NULL CHECK (jsonb_typeof(rules) = 'array')
);
CREATE TABLE hotel_tax (
  hotel_id hotel_identifier PRIMARY KEY REFERENCES hotel,
  source text NOT NULL CHECK (source IN ('country', 'hotel')),
  rules jsonb NOT NULL CHECK (jsonb_typeof(rules) = 'array'),
  -- What is included in the price of a night changes no price.
  on_top jsonb GENERATED ALWAYS AS
    (nullif(jsonb_path_query_array(rules, '$[*] ? (@.kind != "vat")'), '[]')) STORED,
  updated_at timestamptz,
  updated_by text
);

-- A hotel without rules of its own has those of its country, if there are any.
CREATE FUNCTION use_country_taxes(of_hotel text) RETURNS void LANGUAGE sql AS $$
  DELETE FROM hotel_tax WHERE hotel_id = of_hotel AND source = 'country';
  INSERT INTO hotel_tax (hotel_id, source, rules)
    SELECT h.hotel_id, 'country', c.rules FROM hotel h JOIN country_tax c USING (country) WHERE h.hotel_id = of_hotel
    ON CONFLICT DO NOTHING;
$$;
CREATE FUNCTION follow_country() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM use_country_taxes(NEW.hotel_id);
  RETURN NULL;
END $$;
CREATE TRIGGER hotel_added_in_country AFTER INSERT ON hotel FOR EACH ROW
  WHEN (NEW.country IS NOT NULL) EXECUTE FUNCTION follow_country();
CREATE TRIGGER hotel_moved_to_country AFTER UPDATE ON hotel FOR EACH ROW
  WHEN (NEW.country IS DISTINCT FROM OLD.country) EXECUTE FUNCTION follow_country();

-- The rules that a reservation was made under; NULL: none.
ALTER TABLE reservation ADD COLUMN tax_rules jsonb;

CREATE FUNCTION taxes_on_top(rules jsonb, first_day date, prices bigint[], rooms integer, people integer)
RETURNS bigint LANGUAGE plpgsql STABLE AS $$
DECLARE
  total numeric := 0;
  r jsonb;
  first_night integer;
  last_night integer;
  price numeric;
BEGIN
  FOR r IN SELECT q.value FROM jsonb_array_elements(rules) q LOOP
    first_night := greatest(1, (r ->> 'from')::date - first_day + 1);
    last_night := least(cardinality(prices), (r ->> 'to')::date - first_day + 1);
    CONTINUE WHEN first_night > last_night OR r ->> 'kind' = 'vat';
    IF r ->> 'kind' = 'fee' THEN
      price := 0;
      FOR night IN first_night .. last_night LOOP
        price := price + prices[night];
      END LOOP;
      total := total + div(price * rooms * (r ->> 'basisPoints')::integer + 5000, 10000);
    ELSE
      total := total + (r ->> 'amountMinor')::numeric * least(last_night - first_night + 1, (r ->> 'nightsMax')::integer)
        * CASE r ->> 'kind' WHEN 'room-night' THEN rooms ELSE people END;
    END IF;
  END LOOP;
  RETURN total;
END $$;

CREATE FUNCTION add_taxes() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  ours record;
BEGIN
  SELECT rules, on_top INTO ours FROM hotel_tax WHERE hotel_id = NEW.hotel_id;
  IF FOUND THEN
    NEW.tax_rules := ours.rules;
    IF ours.on_top IS NOT NULL THEN
      NEW.price_minor := NEW.price_minor + taxes_on_top(ours.on_top, NEW.start_date, NEW.night_prices_minor,
        NEW.room_count, coalesce(NEW.guests, NEW.room_count));
    END IF;
  END IF;
  RETURN NEW;
END $$;
-- Triggers run in the order of their names: the guests are counted before.
CREATE TRIGGER reservation_taxes BEFORE INSERT ON reservation FOR EACH ROW EXECUTE FUNCTION add_taxes();
`;
