/** A room is cleaned (`available`), then somebody else may look at it. */
export const inspectedRooms = `
ALTER TYPE room_status ADD VALUE 'inspected' AFTER 'available';
`;

/** In a migration of its own: a new value of a type is used only after it was committed. */
export const houseRules = `
INSERT INTO room_status_move VALUES
  ('available', 'inspected'), ('inspected', 'available'), ('inspected', 'dirty'), ('inspected', 'occupied'),
  ('inspected', 'out_of_order'), ('inspected', 'retired');

-- What a hotel decides about its own work; without a row, the defaults.
CREATE TABLE hotel_house_rules (
  hotel_id hotel_identifier PRIMARY KEY REFERENCES hotel,
  check_in_needs text NOT NULL DEFAULT 'clean' CHECK (check_in_needs IN ('clean', 'inspected'))
);
`;
