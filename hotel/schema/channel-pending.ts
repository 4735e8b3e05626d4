/**
 * Days whose delta for channels is not in the log yet. The relay only notes them, so a delta that cannot be
 * published holds back no event.
 */
export const channelPending = `
CREATE TABLE channel_pending (
  hotel_id text COLLATE "C" NOT NULL,
  room_type_id text COLLATE "C" NOT NULL,
  date date NOT NULL,
  -- Rises with each change, so what changes while a delta is published stays noted.
  stamp bigint GENERATED ALWAYS AS IDENTITY,
  PRIMARY KEY (hotel_id, room_type_id, date)
);
`;
