/** A large payment that the risk check held back is approved by two people, one after the other. */
export const secondReviewer = `
ALTER TABLE payment_risk_checks DROP CONSTRAINT payment_risk_checks_decision_check;
ALTER TABLE payment_risk_checks ADD CONSTRAINT payment_risk_checks_decision_check
  CHECK (decision IN ('allow', 'review', 'block', 'proposed', 'approved', 'denied'));
CREATE UNIQUE INDEX payment_risk_checks_proposed ON payment_risk_checks (payment_order_id)
  WHERE decision = 'proposed';
CREATE FUNCTION payment_approval_is_of_a_second_person() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM payment_risk_checks r WHERE r.payment_order_id = NEW.payment_order_id
    AND r.decision = 'proposed' AND r.source = NEW.source) THEN
    RAISE EXCEPTION '% cannot approve what they proposed', NEW.source USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER second_person BEFORE INSERT ON payment_risk_checks FOR EACH ROW
  WHEN (NEW.decision = 'approved') EXECUTE FUNCTION payment_approval_is_of_a_second_person();
`;
