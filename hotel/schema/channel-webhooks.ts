/**
 * Deltas of channels as webhooks: the columns of `platform/webhooks/webhook-tables.ts`, and the hotel, with
 * which all rows move to another server. The subject is the hotel too, so an endpoint gets deltas in their
 * order.
 */
export const channelWebhooks = `
-- Of the last delta that was stored for endpoints: one more for each, so that a channel sees a gap.
ALTER TABLE channel_feed ADD COLUMN webhook_sequence bigint NOT NULL DEFAULT 0;

CREATE TABLE channel_endpoint (
  endpoint_id text PRIMARY KEY,
  hotel_id text COLLATE "C" NOT NULL,
  url text NOT NULL CHECK (length(url) BETWEEN 1 AND 2048),
  event_types text[] NOT NULL,
  secret text NOT NULL,
  old_secret text,
  old_secret_until timestamptz,
  state text NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'disabled')),
  disabled_reason text,
  waiting bigint NOT NULL DEFAULT 0 CHECK (waiting >= 0),
  succeeded_at timestamptz,
  is_slow boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL,
  changed_at timestamptz NOT NULL,
  UNIQUE (hotel_id, url)
);

CREATE TABLE channel_event (
  event_no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  event_id text NOT NULL UNIQUE,
  hotel_id text COLLATE "C" NOT NULL,
  subject text COLLATE "C" NOT NULL,
  type text NOT NULL,
  body text NOT NULL,
  occurred_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX channel_event_of ON channel_event (hotel_id, occurred_at, event_no);
CREATE INDEX channel_event_age ON channel_event USING brin (created_at);

CREATE TABLE channel_delivery (
  endpoint_id text NOT NULL REFERENCES channel_endpoint ON DELETE CASCADE,
  event_no bigint NOT NULL REFERENCES channel_event ON DELETE CASCADE,
  hotel_id text COLLATE "C" NOT NULL,
  subject text COLLATE "C" NOT NULL,
  state text NOT NULL CHECK (state IN ('waiting', 'delivered', 'failed')),
  attempts integer NOT NULL DEFAULT 0,
  first_attempt_at timestamptz,
  next_attempt_at timestamptz NOT NULL,
  leased_until timestamptz,
  PRIMARY KEY (endpoint_id, event_no)
);
CREATE INDEX channel_delivery_due ON channel_delivery (endpoint_id, next_attempt_at) WHERE state = 'waiting';
CREATE INDEX channel_delivery_order ON channel_delivery (endpoint_id, subject, event_no) WHERE state = 'waiting';
CREATE INDEX channel_delivery_leased ON channel_delivery (endpoint_id, leased_until)
  WHERE leased_until IS NOT NULL;
CREATE INDEX channel_delivery_event ON channel_delivery (event_no);

CREATE TABLE channel_attempt (
  attempt_no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  endpoint_id text NOT NULL REFERENCES channel_endpoint ON DELETE CASCADE,
  hotel_id text COLLATE "C" NOT NULL,
  event_id text NOT NULL,
  type text NOT NULL,
  at timestamptz NOT NULL,
  status smallint,
  failure text,
  answer text NOT NULL CHECK (length(answer) <= 256),
  duration_ms integer NOT NULL
);
CREATE INDEX channel_attempt_of ON channel_attempt (endpoint_id, attempt_no);
CREATE INDEX channel_attempt_age ON channel_attempt USING brin (at);

CREATE FUNCTION hotel_of_endpoint() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT e.hotel_id INTO NEW.hotel_id FROM channel_endpoint e WHERE e.endpoint_id = NEW.endpoint_id;
  RETURN NEW;
END $$;
CREATE TRIGGER channel_delivery_hotel BEFORE INSERT ON channel_delivery FOR EACH ROW
  EXECUTE FUNCTION hotel_of_endpoint();
CREATE TRIGGER channel_attempt_hotel BEFORE INSERT ON channel_attempt FOR EACH ROW
  EXECUTE FUNCTION hotel_of_endpoint();

SELECT move_table('channel_endpoint', 'hotel_id');
SELECT move_table('channel_event', 'hotel_id');
SELECT move_table('channel_delivery', 'hotel_id');
SELECT move_table('channel_attempt', 'hotel_id');

CREATE OR REPLACE FUNCTION hotel_numbers() RETURNS TABLE (of_sequence text, last bigint) LANGUAGE sql STABLE AS $$
  SELECT s, coalesce(pg_sequence_last_value(s::regclass), 0) FROM (VALUES
    ('hotel_outbox', 'event_id'), ('reservation', 'sequence'), ('reservation_status_history', 'position'),
    ('staff_action', 'action_id'), ('folio_entry', 'entry_no'), ('staff_refund', 'refund_no'),
    ('stay_payment', 'payment_no'),
    ('waitlist_entry', 'sequence'), ('channel_pending', 'stamp'), ('channel_event', 'event_no'),
    ('channel_attempt', 'attempt_no')) n (of_table, of_column),
    pg_get_serial_sequence(of_table, of_column) s;
$$;

-- A database that is one of several servers already numbers the new tables like the others.
DO $$
DECLARE
  own text[] := ARRAY[pg_get_serial_sequence('channel_event', 'event_no'),
    pg_get_serial_sequence('channel_attempt', 'attempt_no')];
BEGIN
  IF EXISTS (SELECT FROM hotel_server) THEN
    EXECUTE format('ALTER SEQUENCE %s INCREMENT BY 64', own[1]);
    EXECUTE format('ALTER SEQUENCE %s INCREMENT BY 64', own[2]);
    PERFORM raise_hotel_numbers(own, ARRAY[0, 0]);
  END IF;
END $$;
`;
