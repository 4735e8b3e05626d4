/**
 * A caller that counts what a user has and then adds to it holds that user's lock until the end of the
 * transaction; otherwise concurrent calls all count what was there before them. The locks are taken in order
 * and before any row, so that no two calls deadlock.
 */
export const lockUsers = `
CREATE FUNCTION lock_users(users text[]) RETURNS text[] LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(lock) FROM (
    SELECT DISTINCT hashtextextended(usr, 0) AS lock FROM unnest(users) usr ORDER BY 1) in_order;
  RETURN users;
END $$;
`;
