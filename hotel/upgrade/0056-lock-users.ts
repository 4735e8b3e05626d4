import type { UpgradeStep } from '#platform/sql/sql.js';

/**
 * Whoever counts what a user has and then adds to it holds that user's lock until the end of the transaction:
 * else calls at the same time all count what was there before them. The locks are taken in order, and before
 * any row, so that nobody waits in a circle.
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
