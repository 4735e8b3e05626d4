/** What members of staff granted beyond the policy: their sums within a day are limited. */
export const staffRefunds = `
CREATE TABLE staff_refund (
  refund_no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  reservation_id text COLLATE "C" NOT NULL REFERENCES reservation,
  staff_id text COLLATE "C" NOT NULL,
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  currency text NOT NULL,
  at timestamptz NOT NULL
);
CREATE INDEX staff_refund_of_person ON staff_refund (staff_id, at);
CREATE TRIGGER staff_refund_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON staff_refund
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_edited_audit();
`;
