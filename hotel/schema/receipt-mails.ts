/**
 * Receipts that are sent by e-mail: one for each payment that a reservation accepted. A trigger writes the
 * job in the transaction that accepts the payment, so none is missing and none comes before it. Rows have no
 * personal data; the address is read when the letter is sent.
 */
export const receiptMails = `
CREATE TABLE receipt_mail (
  hotel_id text COLLATE "C" NOT NULL,
  reservation_id text COLLATE "C" NOT NULL,
  payment_id text COLLATE "C" NOT NULL,
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'sent', 'failed')),
  -- Why it has failed, or the last attempt did.
  failure text,
  attempts smallint NOT NULL DEFAULT 0,
  next_attempt_at timestamptz NOT NULL DEFAULT now(),
  -- What it waits for since.
  queued_at timestamptz NOT NULL DEFAULT now(),
  sent_at timestamptz,
  PRIMARY KEY (reservation_id, payment_id)
);
CREATE INDEX receipt_mail_due ON receipt_mail (next_attempt_at) WHERE state = 'waiting';
CREATE INDEX receipt_mail_waiting ON receipt_mail (queued_at) WHERE state = 'waiting';
CREATE INDEX receipt_mail_failed ON receipt_mail (hotel_id) WHERE state = 'failed';

-- Without a guest there is no address. The statement that accepts a payment also changes its reservation, and
-- both are visible here.
CREATE FUNCTION queue_receipts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO receipt_mail (hotel_id, reservation_id, payment_id)
    SELECT r.hotel_id, a.reservation_id, a.payment_id
    FROM added a JOIN reservation r USING (reservation_id) JOIN guest_key USING (reservation_id)
    ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER stay_payment_receipt AFTER INSERT ON stay_payment
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT WHEN (NOT is_move()) EXECUTE FUNCTION queue_receipts();

SELECT move_table('receipt_mail', 'hotel_id');
`;
