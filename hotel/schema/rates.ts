/** The price of a night and how it rises with the occupancy; `night_prices` computes it. */
export const rates = `
-- Price of one room for one night in minor units of the hotel's currency, before the surcharge by occupancy.
CREATE TABLE room_type_rate (
  hotel_id text COLLATE "C" NOT NULL,
  room_type_id text COLLATE "C" NOT NULL,
  date date NOT NULL,
  price_minor bigint NOT NULL CHECK (price_minor > 0 AND price_minor < 1000000000000),
  PRIMARY KEY (hotel_id, room_type_id, date)
);

-- From this occupancy of the whole hotel on that day upwards, prices are so many percent of the rate;
-- the highest step that is reached counts.
CREATE TABLE rate_step (
  hotel_id hotel_identifier NOT NULL REFERENCES hotel,
  from_occupancy_percent smallint NOT NULL CHECK (from_occupancy_percent BETWEEN 0 AND 110),
  price_percent smallint NOT NULL CHECK (price_percent BETWEEN 1 AND 1000),
  PRIMARY KEY (hotel_id, from_occupancy_percent)
);
`;
