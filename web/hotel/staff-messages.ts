/** Every text of the staff pages. */

export const brand = 'Staff';
export const calendar = 'Calendar';
export const reservations = 'Reservations';
export const refunds = 'Refunds';
export const rates = 'Rates';
export const auditLog = 'Audit log';

export const reason = 'Reason (for the audit log)';

// Choosing a hotel.
export const hotel = 'Hotel';
export const hotelChoice = (name: string, rooms: number) => `${name} (${rooms} rooms)`;
export const allHotels = 'All hotels';

// The calendar.
export const from = 'From';
export const roomType = 'Room type';
export const noInventory = 'No inventory for these dates yet.';
export const overbooked = 'overbooked';

// The search for reservations.
export const guest = 'Guest';
export const guestId = 'Guest ID';
export const status = 'Status';
export const allStatuses = 'All';
export const stayingOn = 'Staying on';
export const searchHint = 'Choose a hotel or enter a guest ID.';
export const reservationColumns = ['Nights', 'Hotel', 'Rooms', 'Guest', 'Status', 'Price', 'Refund due'];
export const noReservations = 'No reservations found.';
export const olderReservations = 'Older reservations match. Narrow the search.';

// One reservation.
export const summary = (reservation: string, guest: string, hotel: string, rooms: string) =>
  `${reservation} · guest ${guest} · ${hotel} · ${rooms}`;
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
export const noActions = 'No actions yet.';

// Rates.
export const firstNight = 'First night';
export const lastNight = 'Last night';
export const price = (currency: string) => `Price per night (${currency})`;
export const setPrice = 'Set price';
export const priceSet = (nights: number) => `Price set for ${nights} ${nights === 1 ? 'night' : 'nights'}.`;

// The folio.
export const balance = (amount: string) => `Folio, balance ${amount}`;
export const paymentKind = { capture: 'Payment', refund: 'Refund', dispute: 'Dispute' } as const;
export const onItsWay = 'in progress';

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
