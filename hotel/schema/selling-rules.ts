/**
 * What may be sold of a room type on a day, beside its rooms: overbooking, a limit, and restrictions. They
 * lie in the inventory row that a reservation locks anyway, so a change of them and a reservation have one
 * order.
 */
export const sellingRules = `
ALTER TABLE room_type_inventory
  -- So many percent of the rooms may be sold.
  ADD COLUMN overbooking_percent smallint NOT NULL DEFAULT 110 CHECK (overbooking_percent BETWEEN 100 AND 200),
  -- And never more than so many, sold ones included.
  ADD COLUMN sell_limit integer CHECK (sell_limit >= 0),
  ADD COLUMN stop_sell boolean NOT NULL DEFAULT false,
  -- No stay begins with this night, and none ends with it: the day after it is closed to departure.
  ADD COLUMN closed_to_arrival boolean NOT NULL DEFAULT false,
  ADD COLUMN closed_after boolean NOT NULL DEFAULT false,
  -- Nights of a stay that arrives on this day.
  ADD COLUMN min_stay smallint NOT NULL DEFAULT 1 CHECK (min_stay BETWEEN 1 AND 31),
  ADD COLUMN max_stay smallint CHECK (max_stay BETWEEN min_stay AND 31);

CREATE FUNCTION rooms_sold_at_most(total_inventory integer, overbooking_percent smallint, sell_limit integer)
RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN least(overbooking_percent * total_inventory / 100, sell_limit);

DROP TRIGGER room_type_inventory_cap ON room_type_inventory;
CREATE TRIGGER room_type_inventory_cap BEFORE UPDATE ON room_type_inventory FOR EACH ROW
  WHEN (NEW.total_reserved > OLD.total_reserved AND (100 * NEW.total_reserved > NEW.overbooking_percent * NEW.total_inventory
    OR NEW.total_reserved > NEW.sell_limit))
  EXECUTE FUNCTION refuse_overselling();

-- Hotels whose availability, rates and restrictions are published for channels; version rises with each
-- delta.
CREATE TABLE channel_feed (
  hotel_id hotel_identifier PRIMARY KEY REFERENCES hotel,
  version bigint NOT NULL DEFAULT 0,
  is_on boolean NOT NULL DEFAULT true
);

CREATE OR REPLACE FUNCTION tell_inventory() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO hotel_outbox (kind, key, body)
  SELECT 'inventory.changed', hotel_id || '/' || room_type_id, jsonb_build_object(
    'hotelId', hotel_id, 'roomTypeId', room_type_id, 'dates', jsonb_agg(date ORDER BY date),
    'totalInventory', jsonb_agg(total_inventory ORDER BY date), 'totalReserved', jsonb_agg(total_reserved ORDER BY date),
    'soldAtMost', jsonb_agg(rooms_sold_at_most(total_inventory, overbooking_percent, sell_limit) ORDER BY date))
  FROM changed GROUP BY hotel_id, room_type_id ORDER BY hotel_id, room_type_id;
  RETURN NULL;
END $$;
`;
