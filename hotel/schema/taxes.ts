/**
 * Taxes and fees of a country, and those that an operator set for one hotel in place of them. A reservation
 * keeps the rules that it was made under, as it keeps its prices. `hotel/taxes/tax-rule.ts` describes a rule,
 * `hotel/taxes/tax-lines.ts` computes; here is only what a new reservation needs: the sum that is charged on
 * top of the price of its nights.
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
  rules jsonb NOT NULL CHECK (jsonb_typeof(rules) = 'array'),
  updated_at timestamptz NOT NULL,
  updated_by text NOT NULL
);

-- The rules that a reservation was made under; NULL: none.
ALTER TABLE reservation ADD COLUMN tax_rules jsonb;

CREATE FUNCTION taxes_on_top(rules jsonb, first_day date, prices bigint[], rooms integer, people integer)
RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN (
  SELECT coalesce(sum(CASE r ->> 'kind'
      WHEN 'fee' THEN div(n.price * rooms * (r ->> 'basisPoints')::numeric + 5000, 10000)
      WHEN 'room-night' THEN (r ->> 'amountMinor')::numeric * n.counted * rooms
      WHEN 'person-night' THEN (r ->> 'amountMinor')::numeric * n.counted * people
      ELSE 0 END), 0)::bigint
  FROM jsonb_array_elements(rules) r, LATERAL (
    SELECT coalesce(sum(p), 0) AS price, least(count(*), coalesce((r ->> 'nightsMax')::bigint, 1000)) AS counted
    FROM unnest(prices) WITH ORDINALITY q (p, i)
    WHERE first_day + (i - 1)::integer BETWEEN coalesce((r ->> 'from')::date, '-infinity') AND coalesce((r ->> 'to')::date, 'infinity')) n);

CREATE FUNCTION add_taxes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT coalesce(own.rules, usual.rules) INTO NEW.tax_rules
    FROM hotel h LEFT JOIN hotel_tax own ON own.hotel_id = h.hotel_id LEFT JOIN country_tax usual ON usual.country = h.country
    WHERE h.hotel_id = NEW.hotel_id;
  -- What is included in the price of a night changes no price, so it is computed only for those who read it.
  IF NEW.tax_rules @? '$[*] ? (@.kind != "vat")' THEN
    NEW.price_minor := NEW.price_minor + taxes_on_top(NEW.tax_rules, NEW.start_date, NEW.night_prices_minor,
      NEW.room_count, coalesce(NEW.guests, NEW.room_count));
  END IF;
  RETURN NEW;
END $$;
-- Triggers run in the order of their names: the guests are counted before.
CREATE TRIGGER reservation_taxes BEFORE INSERT ON reservation FOR EACH ROW EXECUTE FUNCTION add_taxes();
`;
