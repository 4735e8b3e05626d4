/**
 * In the directory of hotels on several servers: reservations that may be unpaid, over all servers. A row is
 * there before its reservation is, and stays until somebody looks whether it is still needed. A crash of the
 * server empties the table, which is not logged; then more holds are possible for 15 minutes. The plans are
 * made while it is small, and must not read all of it later.
 */
export const userHolds = `
CREATE UNLOGGED TABLE user_hold (
  user_id text COLLATE "C" NOT NULL,
  reservation_id text COLLATE "C" NOT NULL,
  -- Requests that have made the reservation, or still may.
  requests integer NOT NULL CHECK (requests > 0),
  claimed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (user_id, reservation_id)
);

-- Call it with lock_users(users). False for each place whose user already has so many.
CREATE FUNCTION claim_user_holds(users text[], reservations text[], holds_max integer) RETURNS boolean[]
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  answer boolean[];
BEGIN
  WITH asked AS MATERIALIZED (
      SELECT u.usr, u.res, count(*) AS times, min(u.i) AS first,
        -- With a limit, each is looked up by its key; EXISTS may read the whole table once.
        (SELECT true FROM user_hold h WHERE h.user_id = u.usr AND h.reservation_id = u.res LIMIT 1)
          IS NOT NULL AS is_known
      FROM unnest(users, reservations) WITH ORDINALITY u (usr, res, i) GROUP BY u.usr, u.res),
    numbered AS (
      SELECT *, row_number() OVER (PARTITION BY usr, is_known ORDER BY first) AS nth FROM asked),
    claimed AS (
      INSERT INTO user_hold AS h (user_id, reservation_id, requests)
      SELECT usr, res, times FROM numbered n
      WHERE is_known OR nth + (SELECT count(*) FROM (
        SELECT FROM user_hold o WHERE o.user_id = n.usr LIMIT holds_max) others) <= holds_max
      ON CONFLICT (user_id, reservation_id)
        DO UPDATE SET requests = h.requests + excluded.requests, claimed_at = clock_timestamp()
      RETURNING h.user_id, h.reservation_id)
    SELECT array_agg(c.user_id IS NOT NULL ORDER BY u.i) INTO answer
    FROM unnest(users, reservations) WITH ORDINALITY u (usr, res, i)
    LEFT JOIN claimed c ON c.user_id = u.usr AND c.reservation_id = u.res;
  RETURN answer;
END $$;

-- The requests have made nothing.
CREATE FUNCTION release_user_holds(users text[], reservations text[]) RETURNS void
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  FOR i IN 1 .. cardinality(users) LOOP
    DELETE FROM user_hold WHERE user_id = users[i] AND reservation_id = reservations[i] AND requests = 1;
    CONTINUE WHEN FOUND;
    UPDATE user_hold SET requests = requests - 1 WHERE user_id = users[i] AND reservation_id = reservations[i];
  END LOOP;
END $$;
`;
