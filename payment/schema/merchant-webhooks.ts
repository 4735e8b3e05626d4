/** Webhooks to merchants: where they go, what happened, what waits, and what was tried. */
export const merchantWebhooks = `
CREATE TABLE merchant_endpoint (
  endpoint_id text PRIMARY KEY,
  merchant_id text NOT NULL,
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
  UNIQUE (merchant_id, url)
);
COMMENT ON COLUMN merchant_endpoint.waiting IS 'Deliveries that wait; whoever changes one holds this row';
COMMENT ON COLUMN merchant_endpoint.is_slow IS 'The last answer came late or was no success';

CREATE TABLE merchant_event (
  event_no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  event_id text NOT NULL UNIQUE,
  merchant_id text NOT NULL,
  payment_order_id text NOT NULL,
  type text NOT NULL,
  body text NOT NULL,
  occurred_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL
);
COMMENT ON COLUMN merchant_event.body IS 'The bytes that are signed and sent, each time the same';
CREATE INDEX merchant_event_of ON merchant_event (merchant_id, occurred_at, event_no);
CREATE INDEX merchant_event_age ON merchant_event USING brin (created_at);

CREATE TABLE merchant_delivery (
  endpoint_id text NOT NULL REFERENCES merchant_endpoint ON DELETE CASCADE,
  event_no bigint NOT NULL REFERENCES merchant_event ON DELETE CASCADE,
  payment_order_id text NOT NULL,
  state text NOT NULL CHECK (state IN ('waiting', 'delivered', 'failed')),
  attempts integer NOT NULL DEFAULT 0,
  first_attempt_at timestamptz,
  next_attempt_at timestamptz NOT NULL,
  leased_until timestamptz,
  PRIMARY KEY (endpoint_id, event_no)
);
COMMENT ON COLUMN merchant_delivery.next_attempt_at IS
  'Infinity while an earlier event of the same payment waits';
CREATE INDEX merchant_delivery_due ON merchant_delivery (endpoint_id, next_attempt_at) WHERE state = 'waiting';
CREATE INDEX merchant_delivery_order ON merchant_delivery (endpoint_id, payment_order_id, event_no)
  WHERE state = 'waiting';
CREATE INDEX merchant_delivery_leased ON merchant_delivery (endpoint_id, leased_until)
  WHERE leased_until IS NOT NULL;
CREATE INDEX merchant_delivery_event ON merchant_delivery (event_no);

CREATE TABLE merchant_attempt (
  attempt_no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  endpoint_id text NOT NULL REFERENCES merchant_endpoint ON DELETE CASCADE,
  event_id text NOT NULL,
  type text NOT NULL,
  at timestamptz NOT NULL,
  status smallint,
  failure text,
  answer text NOT NULL CHECK (length(answer) <= 256),
  duration_ms integer NOT NULL
);
CREATE INDEX merchant_attempt_of ON merchant_attempt (endpoint_id, attempt_no);
CREATE INDEX merchant_attempt_age ON merchant_attempt USING brin (at);
`;
