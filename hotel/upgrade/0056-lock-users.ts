import type { UpgradeStep } from '#platform/sql/sql.js';

/**
 * A transaction that counts a user's rows and then adds to them locks that user until its end. Otherwise,
 * concurrent calls all count only the rows that existed before. The locks are taken in order, and before any
 * row lock, so there are no deadlocks.
 */
export const lockUsers: UpgradeStep = {
  name: '0056-lock-users',
  sql: `
CREATE FUNCTION lock_users(users text[]) RETURNS text[] LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(lock) FROM (
    SELECT DISTINCT hashtextextended(usr, 0) AS lock FROM unnest(users) usr ORDER BY 1) in_order;
  RETURN users;
END $$;
`,
};
