/** Every text of the guest pages, and the few that the staff pages share with them. */

export const brand = 'Stay';
export const pageTitle = 'Meridian Stay';
export const reservationsTitle = 'My reservations · Meridian Stay';
export const mainNavigation = 'Main navigation';
export const hotels = 'Hotels';
export const myReservations = 'My reservations';
export const liveMap = 'Live map';

export const loading = 'Loading…';
export const offlineNow =
  'You are offline. What is shown may be old; it loads again when the network is back.';
export const busyNow = 'The server is busy. Retrying.';
export const retry = 'Retry';
export const notAtDesk = 'Your account has no access to the staff desk. Ask for the scope “desk”.';

// The list of hotels and its map.
export const hotelName = 'Name';
export const anyHotel = 'Any hotel';
export const noHotels = 'No hotels match this name.';
export const noRoomTypes = 'This hotel offers no rooms yet.';
export const confirmed = 'Booking confirmed';
export const searchStay = 'Dates and guests';
export const sortBy = 'Sort by';
export const sorts = { price: 'Lowest price', name: 'A to Z' } as const;
export const freeCancellationOnly = 'Free cancellation';
export const noneMatch = 'No hotel has such rooms on these dates. Try other dates or fewer filters.';
export const totalFor = (nights: number, guests: number) =>
  `${nightCount(nights)}, ${guestCount(guests)}, taxes included`;
export const freeUntil = (hours: number) => `Free cancellation up to ${hours} h before`;
export const notRefundable = 'Not refundable';
export const noPriceBecause = {
  'too-small': 'No room for so many guests',
  full: 'Sold out on these dates',
  'not-sold': 'Not sold on these dates',
} as const;
export const moreHotels = 'More hotels match. Type more of the name.';
export const map = 'Map';
export const mapLabel = 'Map of the hotels. Use the arrow keys to move, and plus or minus to zoom.';
export const mapFailed = (reason: string) => `The map failed to load: ${reason}`;
export const mapSource = '© OpenStreetMap contributors';

// One hotel.
export const checkTimes = (from: string, until: string) => `Check-in from ${from}, check-out by ${until}`;
export const directions = 'Get directions';
export const roomById = 'Show the room of a key card';
export const roomId = 'Room ID';
export const roomIdExample = 'r0001';
export const showRoom = 'Show room';

// The dates of a stay.
export const checkIn = 'Check-in';
export const checkOut = 'Check-out';
export const rooms = 'Rooms';
export const guests = 'Guests';
export const noNight = 'Check-out must be after check-in.';
export const tooManyNights = (most: number) => `A stay can be at most ${most} nights.`;

/** `1 night`, `3 nights`. */
const count = (many: number, what: string) => `${many} ${what}${many === 1 ? '' : 's'}`;
export const nightCount = (many: number) => count(many, 'night');
export const roomCount = (many: number) => count(many, 'room');
export const guestCount = (many: number) => count(many, 'guest');
export const wanted = (nights: number, rooms: number, people: number) =>
  [nightCount(nights), roomCount(rooms), guestCount(people)].join(', ');

// A room type and its offer.
export const roomType = ({
  capacity,
  beds,
  freeCancelHours,
  lateCancelPercent,
}: {
  readonly capacity: number;
  readonly beds: number;
  readonly freeCancelHours: number;
  readonly lateCancelPercent: number;
}) => {
  const fee = lateCancelPercent === 100 ? 'the full price' : `${lateCancelPercent}% of the price`;
  const terms = `free cancellation up to ${freeCancelHours} h before check-in, then ${fee} is charged`;
  return `${count(capacity, 'guest')} · ${count(beds, 'bed')} · ${terms}`;
};
const meals = {
  none: '',
  breakfast: ' with breakfast',
  half_board: ' with half board',
  full_board: ' with full board',
  all_inclusive: ', all inclusive',
} as const;
export const planName = ({ name, meal }: { readonly name: string; readonly meal: keyof typeof meals }) =>
  `${name}${meals[meal]}`;
export const planTerms = ({
  refundable,
  freeCancelHours,
  lateCancelPercent,
}: {
  readonly refundable: boolean;
  readonly freeCancelHours: number;
  readonly lateCancelPercent: number;
}) => {
  const fee = lateCancelPercent === 100 ? 'the full price' : `${lateCancelPercent}% of the price`;
  return refundable
    ? `Free cancellation up to ${freeCancelHours} h before check-in, then ${fee} is charged.`
    : `A cancellation costs ${fee}.`;
};
/** Why the hotel does not sell a stay although rooms are free. */
export const restricted = ({
  code,
  dates,
  nights = 0,
}: {
  readonly code: string;
  readonly dates: readonly string[];
  readonly nights?: number;
}) =>
  ({
    'stop-sell': `Not sold now: ${dates.join(', ')}.`,
    'closed-to-arrival': `No arrival on ${dates[0]}. Choose another check-in.`,
    'closed-to-departure': `No departure on ${dates[0]}. Choose another check-out.`,
    'minimum-stay': `Stay at least ${nightCount(nights)} from ${dates[0]}.`,
    'maximum-stay': `Stay at most ${nightCount(nights)} from ${dates[0]}.`,
  })[code] ?? code;
export const pricePerNight = 'Price per night';
export const netPrice = (amount: string) => `Without taxes and fees ${amount}`;
export const soldOut = 'sold out';
export const roomsLeft = (many: number) => `${many} left`;
export const onlyRoomsLeft = (many: number) => `only ${many} left`;
export const noPrice = 'no price set';
export const notEnoughRooms = (days: string) => `Not enough rooms on ${days}.`;
export const notOnSale = 'Some of these nights are not on sale yet.';
export const reserve = 'Reserve';

// Who stays.
export const guestForm = 'Your details';
export const guestField = { name: 'Name', email: 'E-mail', phone: 'Phone', guests: 'Guests' } as const;
export const optional = (field: string) => `${field} (optional)`;
export const detailsHint = (receiptByEmail: boolean) =>
  receiptByEmail
    ? 'We send the receipt to this e-mail address. Your details are used only for this stay.'
    : 'Your details are used only for this stay.';
export const goToPayment = 'Continue to payment';
export const back = 'Back';
export const enterName = 'Enter the name of the first guest.';
export const shortenName = (most: number) => `Enter a name of at most ${most} characters.`;
export const unreadableName = 'The name has an unreadable character. Type it again.';
export const enterEmail = 'Enter your e-mail address.';
export const checkEmail = 'Enter an e-mail address such as anna@example.org.';
export const checkPhone = 'Enter a phone number such as +46 31 123 45 67, or leave it empty.';
export const checkGuests = 'Enter the number of guests, or leave it empty.';
export const sleepsAtMost = (most: number) => `These rooms sleep at most ${count(most, 'guest')}.`;
export const priceForGuests = (many: number, total: string) => `${total} for ${count(many, 'guest')}.`;

// One room.
export const room = (number: string) => `Room ${number}`;
export const floor = (number: number) => `floor ${number}`;
export const roomUnavailable = (from: string, to: string) => `Not available from ${from} to ${to}`;
export const roomStatus = {
  available: 'available',
  inspected: 'available',
  occupied: 'occupied',
  dirty: 'being cleaned',
  out_of_order: 'out of order',
  retired: 'no longer in use',
} as const;

// Reservations.
export const reservationStatus = {
  pending_payment: 'awaiting payment',
  paid: 'paid',
  payment_returned: 'payment returned',
  checked_in: 'checked in',
  completed: 'completed',
  rejected: 'payment failed',
  expired: 'expired',
  cancelled: 'cancelled',
  refunded: 'refunded',
  no_show: 'no-show',
} as const;
export const noReservations = 'You have no reservations yet.';
export const findHotel = 'Find a hotel';
export const olderReservations = 'Show older reservations';
export const stayLength = (nights: number, many: number, guests?: number) =>
  `${nightCount(nights)}, ${roomCount(many)}${guests === undefined ? '' : `, ${count(guests, 'guest')}`} at`;
/** In place of its name, until it is loaded. */
export const theHotel = 'the hotel';
export const bookingNumber = 'Booking number';
export const receipt = 'Receipt';
export const calendarFile = 'Calendar file';
export const roomNumbers = (numbers: string) => `room ${numbers}`;
export const refundPending = (amount: string) => `${amount} will be refunded`;
export const refundPaid = (amount: string) => `${amount} refunded`;
export const pay = 'Pay';
export const cancel = 'Cancel';
export const cancelOneRoom = 'Cancel one room';
export const fullRefund = 'You will get a full refund.';
export const restRefunded = 'The rest of your payment will be refunded.';
export const cancellationFee = (percent: number) => `A cancellation fee of ${percent}% of the price applies.`;
export const confirmCancel = 'Yes, cancel';
export const confirmCancelOneRoom = 'Yes, cancel one room';
export const keepReservation = 'Keep reservation';

// A change of dates or rooms.
export const changeStay = 'Change dates or rooms';
export const showPrice = 'Show price';
export const confirmChange = 'Confirm change';
export const changeAndPay = (amount: string) => `Change and pay ${amount}`;
export const keepStay = 'Keep it as it is';
export const costsMore = (price: string, difference: string) =>
  `New price ${price}. You pay ${difference} more; the change is made after that.`;
export const costsLess = (price: string, refund: string) => `New price ${price}. ${refund} will be refunded.`;
export const costsSame = (price: string) => `New price ${price}.`;
export const supplementWaits = (amount: string) => `${amount} to pay. Your stay does not change until then.`;
export const doNotPay = 'Do not pay, keep my stay';
export const forExtras = 'For extras of your stay.';
export const forChange = (dates: string, many: number, price: string) =>
  `For the change to ${dates}, ${roomCount(many)}, ${price} in all.`;
export const supplementStatus = {
  preparing: 'The payment is being prepared.',
  open: 'Pay the difference. Until then, your stay remains as it is.',
  confirm: 'Your bank asks you to confirm the payment.',
  processing: 'The payment is being processed. This page updates when the payment is complete.',
  paid: 'Paid. Your stay is being updated.',
  failed: 'The payment failed. Your stay remains as it is.',
} as const;
export const payWithin = (left: string) => `to pay within ${left}`;

// The payment.
export const payment = 'Payment';
export const payByCard = 'Pay by card';
export const confirmAtBank = 'Confirm at your bank';
export const tryAnotherCard = 'Try another card';
export const cardHint =
  'You enter your card on the payment provider’s page; we never see the number. In this demo, use ' +
  '4242 4242 4242 4242, or 4000 0000 0000 0002 for a card that is declined.';
export const heldFor = (left: string) => `rooms held for ${left}`;
export const paymentStatus = {
  preparing: 'The payment is being prepared.',
  open: 'Pay to confirm your rooms.',
  confirm: 'Your bank asks you to confirm the payment.',
  processing: 'The payment is being processed. This page updates when the payment is complete.',
  paid: 'Paid. Your rooms are reserved.',
  failed: 'The payment failed. The rooms were released.',
} as const;

export { declinedBecause as declined } from '#schemas/payment-failures.js';
export const tryAnotherCardWithin = (minutes: number) =>
  `Try another card within ${count(minutes, 'minute')}.`;
export const roomsReleased = 'The rooms were released.';

/** Why a payment failed, where the card is not the reason. */
export const paymentEnd: Readonly<Record<string, string>> = {
  no_rooms_left: 'Your payment arrived after the rooms were sold. You will get a full refund.',
  amount_differs:
    'The payment provider charged a wrong amount. You will get a full refund. The rooms were released.',
  expired: 'The time to pay is over. The rooms were released.',
  voided: 'The payment was cancelled. The rooms were released.',
  retries_exhausted: 'The payment provider is not responding. The rooms were released. Try again later.',
  risk_blocked: 'The payment was refused. The rooms were released.',
  review_denied: 'The payment was refused. The rooms were released.',
};

/** Problems by their code, where the page has a better text than the server, in English. */
export const problems: Readonly<Record<string, string>> = {
  'stay-changed-before': 'Your stay has been changed meanwhile. This is how it is now.',
};
