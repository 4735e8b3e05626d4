/** English texts of the room plan. The other languages have the same keys. */

export const how =
  'Drag a stay, or select it and use the arrow keys: up and down for the room, left and right for the ' +
  'nights. Enter drops it, Escape puts it back. On a touch screen, hold it before you drag.';
export const room = 'Room';
export const withoutRoom = 'Without a room';
export const noneWithoutRoom = 'Every stay has a room.';
export const typeSummary = (rooms: number, waiting: number) =>
  `${rooms} ${rooms === 1 ? 'room' : 'rooms'}${waiting === 0 ? '' : ` · ${waiting} without a room`}`;
export const firstOf = (shown: number, all: number) => `The first ${shown} of ${all} are shown.`;
export const noRooms = 'No rooms of this type.';
/** The name of a bar, for a screen reader. */
export const bar = (name: string, dates: string, place: string, status: string) =>
  `${name}, ${dates}, ${place}, ${status}`;
export const inRoom = (number: string) => `room ${number}`;
export const outOfOrder = 'Out of order';
export const today = 'today';
export const legend = {
  paid: 'Paid',
  here: 'Checked in',
  over: 'Over',
  returned: 'Payment reversed',
  closed: 'Out of order',
} as const;

// A stay that was picked up.
export const pickedUp = (name: string) => `${name} is picked up.`;
export const toRoom = (number: string, dates: string) => `Room ${number}, ${dates}.`;
export const toType = (type: string, dates: string) => `${type}, ${dates}.`;
export const toLane = (dates: string) => `Without a room, ${dates}.`;
export const free = 'It can be dropped here.';
export const asBefore = 'Where it was.';
export const earlier = '← A night earlier';
export const later = 'A night later →';
export const dropHere = 'Drop here';
export const putBack = 'Put back';
export const openReservation = 'Open reservation';
export const wasPutBack = (name: string) => `${name} is back where it was.`;

// Why it cannot be dropped there.
export const refused = {
  checkedIn: 'The guest has checked in. The room and the nights stay as they are.',
  paymentReturned: 'The payment was reversed. Such a stay is not moved.',
  over: 'This stay is over.',
  begun: 'This stay has begun. Its nights and its room type stay as they are.',
  past: 'A stay cannot be moved into the past.',
  keepsRoom: 'This stay has a room. Drop it on another one.',
  hasRoom: 'This stay has that room already.',
} as const;
export const closed = (number: string) => `Room ${number} is out of order on these nights.`;
export const taken = (number: string, name: string, dates: string) =>
  `Room ${number} is taken: ${name}, ${dates}.`;
export const tooFew = (free: number, needed: number) =>
  `The stay needs ${needed} rooms, and only ${free} on this page ${free === 1 ? 'is' : 'are'} free.`;

// A change of dates or of the type, before it is made.
export const costsMore = (price: string, difference: string) =>
  `New price ${price}. The guest pays ${difference} more; the change is made after that.`;
export const costsLess = (price: string, refund: string) =>
  `New price ${price}. ${refund} goes back to the guest.`;
export const costsSame = (price: string) => `The price is ${price}.`;
export const confirm = 'Change the stay';

// What happened.
export const assigned = (name: string, numbers: string) => `${name} has room ${numbers} now.`;
export const changed = (name: string) => `The stay of ${name} was changed.`;
export const changedWithoutRoom = (name: string) => `The stay of ${name} was changed. It has no room yet.`;
export const roomLost = (name: string, why: string) =>
  `The stay of ${name} was changed, but it has no room now. ${why}`;
export const overtaken = (why: string) =>
  `${why} The plan was loaded again, with what others have changed meanwhile.`;
