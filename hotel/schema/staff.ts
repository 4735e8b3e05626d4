/**
 * The results of operators' idempotency keys, written in the same transaction as the change. And the audit
 * list: who did what to what, when and why. A row is written before the action, and its outcome once after
 * it; a row without an outcome was interrupted. Nothing is ever edited or removed.
 */
export const staff = `
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

CREATE TABLE staff_action (
  action_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL,
  staff_id text COLLATE "C" NOT NULL,
  action text NOT NULL,
  -- A reservation id or a hotel id, as the action says.
  subject text COLLATE "C" NOT NULL,
  reason text NOT NULL CHECK (length(reason) BETWEEN 1 AND 500),
  detail jsonb NOT NULL DEFAULT '{}',
  outcome text
);
CREATE INDEX staff_action_of_subject ON staff_action (subject, action_id DESC);

CREATE FUNCTION refuse_edited_audit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'The audit list is only added to.' USING ERRCODE = 'MH005';
END $$;
CREATE TRIGGER staff_action_stays BEFORE UPDATE ON staff_action FOR EACH ROW
  WHEN (OLD.outcome IS NOT NULL OR NEW.outcome IS NULL
    OR (OLD.action_id, OLD.at, OLD.staff_id, OLD.action, OLD.subject, OLD.reason, OLD.detail)
    IS DISTINCT FROM (NEW.action_id, NEW.at, NEW.staff_id, NEW.action, NEW.subject, NEW.reason, NEW.detail))
  EXECUTE FUNCTION refuse_edited_audit();
CREATE TRIGGER staff_action_remains BEFORE DELETE ON staff_action
  FOR EACH ROW EXECUTE FUNCTION refuse_edited_audit();
CREATE TRIGGER staff_actions_remain BEFORE TRUNCATE ON staff_action
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_edited_audit();
`;
