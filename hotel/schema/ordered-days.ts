/**
 * Days are locked in the order of their dates, whatever the statistics of the table say. A bitmap scan reads
 * them in the order of their places on the disk, in which two calls of the guard `version` may wait for each
 * other in a ring.
 */
export const orderedDays = `
DO $$
DECLARE f regprocedure;
BEGIN
  FOR f IN SELECT p.oid::regprocedure FROM pg_proc p
    WHERE p.pronamespace = current_schema()::regnamespace
      AND p.proname IN ('reserve_by_row_locks', 'reserve_by_version', 'reserve_by_constraint')
  LOOP
    EXECUTE format('ALTER FUNCTION %s SET enable_bitmapscan = off', f);
  END LOOP;
END $$;
`;
