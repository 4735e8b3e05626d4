/**
 * In the directory of hotels on several servers: reservations that may be unpaid, over all servers. A row is
 * there before its reservation is, and stays until somebody looks whether it is still needed. A crash of the
 * server may lose the last rows, which are not flushed; then more holds are possible for 15 minutes.
 */
export const userHolds = `
CREATE TABLE user_hold (
  user_id text COLLATE "C" NOT NULL,
  reservation_id text COLLATE "C" NOT NULL,
  -- Requests that have made the reservation, or still may.
  requests integer NOT NULL DEFAULT 1 CHECK (requests > 0),
  claimed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (user_id, reservation_id)
);

-- Call it with lock_users(users). False for each place whose user already has so many.
CREATE FUNCTION claim_user_holds(users text[], reservations text[], holds_max integer) RETURNS boolean[]
LANGUAGE plpgsql AS $$
DECLARE
  claimed boolean[];
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  FOR i IN 1 .. cardinality(users) LOOP
    UPDATE user_hold SET requests = requests + 1, claimed_at = clock_timestamp()
      WHERE user_id = users[i] AND reservation_id = reservations[i];
    claimed[i] := FOUND;
    CONTINUE WHEN FOUND OR holds_max <= (SELECT count(*) FROM (
      SELECT FROM user_hold WHERE user_id = users[i] LIMIT holds_max) held);
    INSERT INTO user_hold (user_id, reservation_id) VALUES (users[i], reservations[i]);
    claimed[i] := true;
  END LOOP;
  RETURN claimed;
END $$;

-- The requests have made nothing.
CREATE FUNCTION release_user_holds(users text[], reservations text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  FOR i IN 1 .. cardinality(users) LOOP
    DELETE FROM user_hold WHERE user_id = users[i] AND reservation_id = reservations[i] AND requests = 1;
    CONTINUE WHEN FOUND;
    UPDATE user_hold SET requests = requests - 1 WHERE user_id = users[i] AND reservation_id = reservations[i];
  END LOOP;
END $$;
`;
