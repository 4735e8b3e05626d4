/** Which provider an order is sent to, and the country by which it is chosen. */
export const providerOfAnOrder = `
ALTER TABLE payment_orders ADD COLUMN provider text DEFAULT 'psp' CHECK (provider ~ '^[a-z][a-z0-9-]{0,31}$');
ALTER TABLE payment_orders ALTER COLUMN provider DROP DEFAULT;
ALTER TABLE payment_orders ADD COLUMN country text CHECK (country ~ '^[A-Z]{2}$');
COMMENT ON COLUMN payment_orders.provider IS
  'The provider that may have the order; NULL while certainly none has it';
COMMENT ON COLUMN payment_orders.country IS 'Of the card or buyer if known, else of the seller; ISO 3166';

-- What a provider has answered about stays with this provider.
CREATE FUNCTION payment_order_keeps_its_provider() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.provider IS NOT NULL
    AND (OLD.psp_reference IS NOT NULL OR OLD.psp_sequence > 0 OR OLD.captured_minor > 0) THEN
    RAISE EXCEPTION 'payment order % keeps its provider', OLD.payment_order_id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER payment_order_provider BEFORE UPDATE ON payment_orders FOR EACH ROW
  WHEN (OLD.provider IS DISTINCT FROM NEW.provider) EXECUTE FUNCTION payment_order_keeps_its_provider();
`;
