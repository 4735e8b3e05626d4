import type { Migration } from '../sql/sql.js';

/**
 * `usage_source` is one journal of one process; see `usage-journal.ts`. Its counts in `usage_source_count`
 * only rise and what they rise by is added to `usage_day` in the same transaction, so that a journal may be
 * read any number of times.
 */
const tables = `
CREATE TABLE customer_plan (
  plan_id text COLLATE "C" PRIMARY KEY,
  per_second double precision NOT NULL CHECK (per_second > 0),
  burst integer NOT NULL CHECK (burst > 0),
  per_month jsonb NOT NULL
);

CREATE TABLE customer (
  customer_id text COLLATE "C" PRIMARY KEY,
  name text NOT NULL,
  plan_id text COLLATE "C" NOT NULL REFERENCES customer_plan,
  created_at timestamptz NOT NULL
);

CREATE TABLE api_key (
  key_id text COLLATE "C" PRIMARY KEY,
  customer_id text COLLATE "C" NOT NULL REFERENCES customer,
  prefix text NOT NULL,
  secret_hash bytea NOT NULL CHECK (length(secret_hash) = 32),
  families text[] NOT NULL,
  label text,
  created_at timestamptz NOT NULL,
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz
);
CREATE INDEX api_key_of ON api_key (customer_id, created_at);

CREATE TABLE usage_day (
  customer_id text COLLATE "C" NOT NULL,
  day date NOT NULL,
  family text COLLATE "C" NOT NULL,
  requests bigint NOT NULL CHECK (requests >= 0),
  PRIMARY KEY (customer_id, day, family)
);
CREATE INDEX usage_day_by_day ON usage_day (day);

CREATE TABLE usage_source (
  source_id text COLLATE "C" PRIMARY KEY,
  ended_at timestamptz
);

CREATE TABLE usage_source_count (
  source_id text COLLATE "C" NOT NULL REFERENCES usage_source ON DELETE CASCADE,
  customer_id text COLLATE "C" NOT NULL,
  day date NOT NULL,
  family text COLLATE "C" NOT NULL,
  requests bigint NOT NULL,
  PRIMARY KEY (source_id, customer_id, day, family)
);
`;

/** `touched_at` is renewed while counts come from the journal, so that forgotten ones are found. */
const touched = `
ALTER TABLE usage_source ADD COLUMN touched_at timestamptz NOT NULL DEFAULT now();
CREATE INDEX usage_source_touched ON usage_source (touched_at);
`;

/** The history `customers`. */
export const customerMigrations: readonly Migration[] = [
  { name: '0001-api-keys', sql: tables },
  { name: '0002-forget-sources', sql: touched },
];
