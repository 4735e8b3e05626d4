import type { Migration } from '#platform/sql/sql.js';

/** What an idempotency key of an operator has made, written in the transaction that made it. */
export const createOperatorRequests: Migration = {
  name: '0050-create-operator-requests',
  sql: `
CREATE TABLE operator_request (
  caller text COLLATE "C" NOT NULL,
  idempotency_key text COLLATE "C" NOT NULL,
  -- The whole request, to tell a retry from another one.
  request text NOT NULL,
  hotel_id text COLLATE "C" NOT NULL,
  room_id text COLLATE "C",
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (caller, idempotency_key)
);
`,
};
