/** English texts of the staff pages. The other languages have the same keys. */
import type { FolioView } from '#schemas/http/hotel-folio.js';
import type { ProblemTexts } from '../http/ask.js';

export const brand = 'Staff';
export const calendar = 'Calendar';
export const roomPlan = 'Room plan';
export const reservations = 'Reservations';
export const refunds = 'Refunds';
export const rates = 'Rates';
export const housekeeping = 'Housekeeping';
export const groups = 'Groups';
export const auditLog = 'Audit log';

export const reason = 'Reason (for the audit log)';

// Choosing a hotel.
export const hotel = 'Hotel';
export const hotelChoice = (name: string, rooms: number) => `${name} (${rooms} rooms)`;
export const allHotels = 'All hotels';

// Today.
export const todayTitle = 'Today';
export const arrivals = (stays: number) => `Arrivals (${stays})`;
export const departures = (stays: number) => `Departures (${stays})`;
export const inHouse = (stays: number) => `Staying tonight (${stays})`;
export const noHotelsYet = 'There is no hotel yet. One appears here as soon as it is created.';
export const noArrivals = 'Nobody is expected who has not checked in.';
export const noDepartures = 'Nobody has to check out today.';
export const nobodyInHouse = 'Nobody who is checked in stays tonight.';
export const balanceDue = (amount: string) => `${amount} due`;

// The calendar.
export const from = 'From';
export const roomType = 'Room type';
export const noInventory = 'No inventory for these dates yet.';
export const overbooked = 'overbooked';
export const previousWeek = '← Week before';
export const thisDay = 'Today';
export const nextWeek = 'Week after →';
export const legend = {
  counts: '7/10: 7 of 10 rooms are reserved',
  full: '10/10: all rooms are reserved',
  over: '11/10: overbooked',
  none: '–: not on sale',
} as const;

/** For a room type without a name. */
export const someRoom = 'Room';

// The search for reservations.
export const guest = 'Guest';
export const bookingNumber = 'Booking number';
export const bookingExample = 'K4W-7FM-2XR';
export const status = 'Status';
export const allStatuses = 'All';
export const stayingOn = 'Staying on';
export const searchHint = 'Choose a hotel or enter a booking number.';
export const reservationColumns = ['Nights', 'Hotel', 'Rooms', 'Booking', 'Status', 'Price', 'Refund due'];
export const noReservations = 'No reservations found.';
export const olderReservations = 'Older reservations match. Narrow the search.';

// One reservation.
export const summary = (bookingNumber: string | undefined, hotel: string, rooms: string) =>
  `${bookingNumber === undefined ? '' : `Booking ${bookingNumber} · `}${hotel} · ${rooms}`;
export const roomsOfOneType = (count: string, type: string) => `${count} × ${type}`;
export const roomNumbers = (numbers: string) => `room ${numbers}`;
export const money = (price: string, paid: string, due: string, refunded: string) =>
  `${price}, paid ${paid}, refund due ${due}, refunded ${refunded}`;
export const disputed = (amount: string) => `The guest’s bank reversed ${amount} in a dispute.`;
export const paymentReturned = (isDisputed: boolean) => {
  const next = isDisputed
    ? 'Cancel the reservation, or wait until the dispute is won.'
    : 'Cancel the reservation.';
  return `The whole payment was reversed. The rooms are held, but the guest cannot check in. ${next}`;
};
export const waitsForPayment = (amount: string, until: string) =>
  `The guest can pay ${amount} more until ${until}. A change of the stay is made after that.`;
export const staffActivity = 'Staff activity';
export const actions = {
  cancelPayment: 'Cancel payment',
  cancelReservation: 'Cancel reservation',
  assignRooms: 'Assign rooms',
  checkIn: 'Check in',
  noShow: 'Mark as no-show',
  checkOut: 'Check out',
  refund: 'Refund in full',
  askForExtras: 'Ask guest to pay extras',
} as const;

// The audit log.
export const auditColumns = ['Time', 'Staff', 'Action', 'Subject', 'Reason', 'Outcome'];
export const inProgress = 'in progress';
export const theReservation = 'Reservation';
const namesOfActions: Readonly<Record<string, string>> = {
  'update-ari': 'Update prices and availability',
  'no-show': 'Mark as no-show',
};
/** `set-guest`: Set guest. */
export const action = (code: string): string => {
  const words = code.replaceAll('-', ' ');
  return namesOfActions[code] ?? words.charAt(0).toUpperCase() + words.slice(1);
};
export const outcome = (code: string) => code.replaceAll('-', ' ');
/** What staff typed stays as it is; where they gave no reason, the server wrote one. */
export const givenReason = (reason: string) => reason;
export const automatic = 'automatic';
export const noActions = 'No actions yet.';

// Rates.
export const firstNight = 'First night';
export const lastNight = 'Last night';
export const price = (currency: string) => `Price per night (${currency})`;
export const setPrice = 'Set price';
export const pricesNow = (currency: string) => `Prices now (${currency})`;
export const pricesNowHint =
  'Before rate plans, steps by occupancy and taxes. Reservations keep their price.';
export const priceSet = (nights: number) => `Price set for ${nights} ${nights === 1 ? 'night' : 'nights'}.`;

// Housekeeping.
export const show = 'Show';
export const allRooms = 'All';
export const toClean = 'To clean';
export const roomStatus = {
  dirty: 'Dirty',
  available: 'Clean',
  inspected: 'Inspected',
  occupied: 'Occupied',
  out_of_order: 'Out of order',
  retired: 'Retired',
} as const;
export const floor = 'Floor';
export const allFloors = 'All floors';
export const allTypes = 'All types';
export const roomNumber = 'Room number';
export const anyNumber = 'Any';
export const roomName = (number: string) => `Room ${number}`;
export const place = (type: string, level: number) => `${type} · floor\u00a0${level}`;
export const work = {
  departure: 'Guests leave',
  'stay-over': 'Guests stay',
  inspection: 'To be inspected',
} as const;
export const arrival = 'Next guests arrive today';
export const selectAll = 'Select all on this page';
export const selected = (many: number) => `${many} selected`;
export const optionalReason = 'Reason (optional, for the audit log)';
export const markAs = { dirty: 'Mark dirty', available: 'Mark clean', inspected: 'Mark inspected' } as const;
export const noRooms = 'No rooms match.';
export const rooms = (many: number) => `${many} ${many === 1 ? 'room' : 'rooms'}`;
export const roomsAre = (many: number, status: keyof typeof markAs) =>
  `${rooms(many)} ${many === 1 ? 'is' : 'are'} ${roomStatus[status].toLowerCase()} now.`;
export const notChanged = (number: string, why: string) => `Room ${number} was not changed. ${why}`;
export const notTried = (many: number) => `${rooms(many)} more ${many === 1 ? 'was' : 'were'} not changed.`;
export const pageOf = (from: number, to: number, all: number) => `${from} to ${to} of ${rooms(all)}`;
export const previous = 'Previous';
export const next = 'Next';
export const pages = 'Pages';

// Group blocks.
export const newBlock = 'New group';
export const openBlocks = 'Open';
export const releasedBlocks = 'Released';
export const noBlocks = 'No groups yet.';
export const newestBlocks = (many: number) => `Only the newest ${many} groups are shown.`;
export const blockSummary = (dates: string, code: string) => `${dates} · code ${code}`;
export const pickedUpOf = (picked: number, held: number) => `${picked} of ${held} room nights picked up`;
export const pickedUp = (many: number) => `${many} room ${many === 1 ? 'night' : 'nights'} picked up`;
export const heldUntil = (moment: string) => `held until ${moment}`;
export const releasedAt = (moment: string) => `released ${moment}`;
export const allGroups = 'All groups';
export const nightsTitle = 'Rooms by night';
export const nightsLegend = 'Picked up / held for the group, and the rooms that are left.';
export const left = (many: number) => `${many} left`;
export const allRoomTypes = 'All types';
export const pickUps = (many: number) => `Reservations (${many})`;
export const showMore = 'Show more';
export const noName = 'No name';
export const noPickUps = 'Nobody has reserved with the code yet.';
export const newestPickUps = 'Only the newest 500 are shown.';
export const groupName = 'Name of the group';
export const code = 'Code for its guests';
export const codeRule = '4 to 32 characters: A to Z, 0 to 9 and -';
export const releaseTime = (zone: string) => `Held until (${zone})`;
export const roomsOfType = 'Rooms on each night';
export const addType = 'Add room type';
export const roomsOf = (type: string) => `Rooms, ${type}`;
export const remove = 'Remove';
export const create = 'Hold rooms';
export const change = 'Change';
export const save = 'Save changes';
export const cancel = 'Cancel';
export const nothingChanged = 'Nothing is changed yet.';
export const blockNights = (most: number) => `A group has 1 to ${most} nights.`;
export const badReleaseTime = 'The rooms are held until a time between now and the last night.';
export const blockChanged = 'The group was changed.';
export const release = 'Release the rest';
export const releaseQuestion = (many: number) =>
  `${many} room ${many === 1 ? 'night returns' : 'nights return'} to general sale. ` +
  'Reservations stay as they are.';
export const confirmRelease = 'Yes, release';
export const keep = 'Keep';

// The guest of a reservation.
export const guestField = { name: 'Name', email: 'E-mail', phone: 'Phone', guests: 'Guests' } as const;
export const noGuest = 'No name or address is stored: none was given, or it was erased.';
export const addGuest = 'Add guest';
export const correctGuest = 'Correct';
export const saveGuest = 'Save guest';
export const guestSaved = 'The guest was saved.';
export const checkGuests = 'Enter the number of guests.';
export const eraseGuest = 'Erase personal data';
export const eraseQuestion = 'Name, e-mail and phone are deleted for good. The reservation stays.';
export const confirmErase = 'Yes, erase';
export const guestErased = 'The personal data was erased.';

// The folio.
export const balance = (amount: string) => `Folio, balance ${amount}`;
export const paymentKind = { capture: 'Payment', refund: 'Refund', dispute: 'Dispute' } as const;
export const onItsWay = 'in progress';
/** Taxes and extras have names of their own. */
export const charge = (kind: FolioView['charges'][number]['kind'], name: string, many: number): string => {
  switch (kind) {
    case 'night':
      return many === 1 ? 'Room' : rooms(many);
    case 'cancellation':
      return 'Cancellation';
    case 'no-show':
      return 'No-show';
    case 'reduction':
      return 'Refunded beyond the policy';
    case 'tax':
    case 'extra':
    case 'void':
      return name;
  }
};

/** A receipt by e-mail; after a failure why, and what helps. */
export const receiptMail = ({
  state,
  failure = '',
}: {
  readonly state: 'waiting' | 'sent' | 'failed';
  readonly failure?: string;
}) => {
  switch (state) {
    case 'sent':
      return 'The receipt was sent by e-mail.';
    case 'waiting':
      return failure === ''
        ? 'The receipt waits to be sent by e-mail.'
        : `The receipt is sent again: ${failure}`;
    case 'failed':
      return `The receipt was not sent: ${failure}. Give it to the guest, or ask for another address.`;
  }
};

/** Problems by their code, where the page has a better text than the server, in English. */
export const problems: ProblemTexts = {
  'stay-changed-before': 'Somebody else has changed this stay or its rooms.',
};
