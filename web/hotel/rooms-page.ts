import type { Static } from 'typebox';
import type { listStaffRooms } from '#schemas/http/hotel-housekeeping.js';

export type RoomsPage = Static<(typeof listStaffRooms)['responses'][200]['schema']>;
export type RoomRow = RoomsPage['rooms'][number];
