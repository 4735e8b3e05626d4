/**
 * A reservation that replaces a paid one: when it is paid, the old one is cancelled in the same transaction.
 * The link is written before the reservation, so none is ever made without it.
 */
export const stayExchanges = `
CREATE TABLE stay_exchange (
  -- The new reservation; a request that was refused has made none.
  reservation_id text COLLATE "C" PRIMARY KEY,
  replaces text COLLATE "C" NOT NULL REFERENCES reservation,
  at timestamptz NOT NULL
);
CREATE INDEX exchanges_of_reservation ON stay_exchange (replaces);
`;
