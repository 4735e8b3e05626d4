/**
 * What a stay costs beside its nights, and its invoices. All three tables are only added to. A folio is
 * computed from the reservation, its entries and its payments whenever it is read; nothing keeps a balance.
 */
export const folio = `
CREATE TABLE folio_entry (
  entry_no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  reservation_id text COLLATE "C" NOT NULL REFERENCES reservation,
  -- Named by the client: a repeated request posts once.
  entry_id text COLLATE "C" NOT NULL CHECK (length(entry_id) BETWEEN 1 AND 64),
  -- The entry that this one takes back, as a whole and once.
  voids bigint UNIQUE REFERENCES folio_entry,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
  amount_minor bigint NOT NULL,
  -- Included in the amount.
  vat_basis_points integer NOT NULL CHECK (vat_basis_points BETWEEN 0 AND 10000),
  staff_id text COLLATE "C" NOT NULL,
  reason text NOT NULL CHECK (length(reason) BETWEEN 1 AND 500),
  at timestamptz NOT NULL,
  UNIQUE (reservation_id, entry_id),
  CHECK (CASE WHEN voids IS NULL THEN amount_minor > 0 ELSE amount_minor < 0 END)
);

-- The row is locked until the invoice is stored, so that no number is skipped.
CREATE TABLE invoice_number (
  hotel_id hotel_identifier PRIMARY KEY REFERENCES hotel,
  newest bigint NOT NULL
);
CREATE TABLE invoice (
  hotel_id hotel_identifier NOT NULL REFERENCES hotel,
  number bigint NOT NULL,
  reservation_id text COLLATE "C" NOT NULL REFERENCES reservation,
  kind text NOT NULL CHECK (kind IN ('invoice', 'credit-note')),
  total_minor bigint NOT NULL,
  currency text NOT NULL,
  -- Of the hotel, on that day.
  issuer jsonb NOT NULL,
  lines jsonb NOT NULL,
  taxes jsonb NOT NULL,
  issued_at timestamptz NOT NULL,
  issued_by text COLLATE "C" NOT NULL,
  PRIMARY KEY (hotel_id, number)
);
CREATE INDEX invoice_of_reservation ON invoice (reservation_id, number);

CREATE TRIGGER folio_entry_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON folio_entry
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_edited_audit();
CREATE TRIGGER invoice_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON invoice
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_edited_audit();
`;
