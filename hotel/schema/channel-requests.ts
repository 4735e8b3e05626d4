/** Requests of channels for the whole state of their hotel, as accepted. */
export const channelRequests = `
CREATE TABLE channel_request (
  request_id text PRIMARY KEY,
  endpoint_id text NOT NULL REFERENCES channel_endpoint ON DELETE CASCADE,
  hotel_id text COLLATE "C" NOT NULL,
  -- SHA-256 of the id that the channel chose: a repeated request has the same one.
  webhook_hash bytea NOT NULL CHECK (length(webhook_hash) = 32),
  first_day date NOT NULL,
  last_day date NOT NULL CHECK (last_day >= first_day),
  -- NULL: all.
  room_type_ids text[],
  days integer NOT NULL,
  -- The highest of channel_pending when it was accepted: it waits until none as old is there.
  last_stamp bigint NOT NULL,
  requested_at timestamptz NOT NULL,
  UNIQUE (endpoint_id, webhook_hash)
);
CREATE INDEX channel_request_of ON channel_request (endpoint_id, requested_at);

SELECT move_table('channel_request', 'hotel_id');
`;
