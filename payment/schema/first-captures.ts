/** Since when each provider owes settlement files. */
export const firstCaptures = `
CREATE TABLE provider_first_capture (
  provider text PRIMARY KEY,
  at timestamptz NOT NULL
);
COMMENT ON TABLE provider_first_capture IS
  'A row for each provider that captured money: the files of its days are due, also of the first one';
INSERT INTO provider_first_capture (provider, at)
  SELECT provider, min(created_at) FROM payment_orders
  WHERE captured_minor > 0 AND provider IS NOT NULL GROUP BY provider;

CREATE FUNCTION payment_order_first_capture() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM provider_first_capture WHERE provider = NEW.provider) THEN
    INSERT INTO provider_first_capture (provider, at) VALUES (NEW.provider, NEW.changed_at)
      ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER payment_order_first_capture AFTER UPDATE OF captured_minor ON payment_orders FOR EACH ROW
  WHEN (OLD.captured_minor = 0 AND NEW.captured_minor > 0 AND NEW.provider IS NOT NULL)
  EXECUTE FUNCTION payment_order_first_capture();
`;
