/**
 * Who stays, encrypted. Deleting the key erases the guest: copies of `guest` that are left in backups open no
 * more. Only these two tables hold personal data; everything else names a guest by `user_id`.
 */
export const guests = `
CREATE TABLE guest_key (
  reservation_id text COLLATE "C" PRIMARY KEY REFERENCES reservation,
  user_id text COLLATE "C" NOT NULL,
  -- The guest's own key, encrypted with the master key of the program's settings.
  wrapped_key bytea NOT NULL
);
CREATE INDEX guest_key_of_user ON guest_key (user_id);

CREATE TABLE guest (
  reservation_id text COLLATE "C" PRIMARY KEY REFERENCES guest_key ON DELETE CASCADE,
  -- Name, e-mail and phone as JSON, encrypted with the guest's own key.
  sealed bytea NOT NULL
);

-- How many people stay; NULL: it was not said. This is no personal data.
ALTER TABLE reservation ADD COLUMN guests smallint CHECK (guests BETWEEN 1 AND 500);

CREATE FUNCTION count_guests() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- In JSON, a quotation mark inside of a text has a backslash before it.
  NEW.guests := substring(NEW.request FROM '"guests":([0-9]{1,3})')::smallint;
  RETURN NEW;
END $$;
CREATE TRIGGER reservation_guests BEFORE INSERT ON reservation FOR EACH ROW
  WHEN (NEW.request LIKE '%"guests":%') EXECUTE FUNCTION count_guests();
`;
