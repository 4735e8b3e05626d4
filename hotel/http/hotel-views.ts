import type { HotelBody, HotelView, RoomBody, RoomView } from '#schemas/http/hotels.js';
import type { Hotel, HotelChange, HotelFacts, Room, RoomFacts } from '../hotels/hotel.js';

const byteOrder = (left: string, right: string) => Buffer.compare(Buffer.from(left), Buffer.from(right));

export function hotelFacts(body: HotelBody): HotelFacts {
  const { checkInTime = '15:00', checkOutTime = '11:00', amenities = [], roomTypes = [], ...rest } = body;
  return {
    name: rest.name,
    address: rest.address,
    lat: rest.lat,
    lng: rest.lng,
    timeZone: rest.timeZone,
    currency: rest.currency,
    ...(rest.country === undefined ? {} : { country: rest.country }),
    checkInTime,
    checkOutTime,
    amenities,
    roomTypes: roomTypes
      .map(({ roomTypeID, name, capacity = 2, beds = 1, freeCancelHours = 24, lateCancelPercent = 100 }) => ({
        roomTypeId: roomTypeID,
        name,
        capacity,
        beds,
        freeCancelHours,
        lateCancelPercent,
      }))
      .toSorted((left, right) => byteOrder(left.roomTypeId, right.roomTypeId)),
  };
}

export function hotelChange(body: HotelBody): HotelChange {
  const { roomTypes, ...facts } = hotelFacts(body);
  return body.roomTypes === undefined ? facts : { ...facts, roomTypes };
}

export function hotelView({ hotelId, version: _, roomTypes, ...facts }: Hotel): HotelView {
  return {
    hotelID: hotelId,
    ...facts,
    amenities: [...facts.amenities],
    roomTypes: roomTypes.map(({ roomTypeId, ...type }) => ({ roomTypeID: roomTypeId, ...type })),
  };
}

export function roomFacts(body: RoomBody): RoomFacts {
  const { roomTypeID, number, floor = 0, status = 'available', outOfOrder = [] } = body;
  return {
    roomTypeId: roomTypeID,
    number,
    floor,
    status,
    outOfOrder: outOfOrder
      .map(({ from, to, reason = '' }) => ({ from, to, reason }))
      .toSorted((left, right) => byteOrder(left.from + left.to, right.from + right.to)),
  };
}

export function roomView({ hotelId, roomId, roomTypeId, version: _, ...facts }: Room): RoomView {
  return {
    hotelID: hotelId,
    roomID: roomId,
    roomTypeID: roomTypeId,
    ...facts,
    outOfOrder: [...facts.outOfOrder],
  };
}
