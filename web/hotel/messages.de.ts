/** German texts of the guest pages. */

export const brand = 'Hotels';
export const pageTitle = 'Meridian Hotels';
export const reservationsTitle = 'Meine Buchungen · Meridian Hotels';
export const mainNavigation = 'Hauptmenü';
export const hotels = 'Hotels';
export const myReservations = 'Meine Buchungen';
export const liveMap = 'Karte';

export const loading = 'Wird geladen…';
export const offlineNow =
  'Sie sind offline. Was Sie sehen, kann alt sein; es wird neu geladen, wenn das Netz wieder da ist.';
export const busyNow = 'Der Server ist ausgelastet. Neuer Versuch.';
export const retry = 'Erneut versuchen';
export const notAtDesk = 'Ihr Konto hat keinen Zugang zum Empfang. Bitten Sie um die Berechtigung „desk“.';

export const hotelName = 'Name';
export const anyHotel = 'Alle Hotels';
export const noHotels = 'Kein Hotel hat diesen Namen.';
export const noRoomTypes = 'Dieses Hotel hat noch keine Zimmer.';
export const confirmed = 'Buchung bestätigt';
export const searchStay = 'Daten und Gäste';
export const sortBy = 'Sortieren nach';
export const sorts = { price: 'Niedrigster Preis', name: 'A bis Z' } as const;
export const freeCancellationOnly = 'Kostenlos stornierbar';
export const noneMatch = 'Kein Hotel hat dann solche Zimmer. Versuchen Sie andere Daten oder weniger Filter.';
export const totalFor = (nights: number, people: number) =>
  `${nightCount(nights)}, ${guestCount(people)}, inklusive Steuern`;
export const freeUntil = (hours: number) => `Bis ${hours} Std. vorher kostenlos stornierbar`;
export const notRefundable = 'Nicht erstattbar';
export const noPriceBecause = {
  'too-small': 'Kein Platz für so viele Gäste',
  full: 'An diesen Tagen ausgebucht',
  'not-sold': 'An diesen Tagen nicht buchbar',
} as const;
export const moreHotels = 'Weitere Hotels passen. Geben Sie mehr vom Namen ein.';
export const map = 'Karte';
export const mapLabel = 'Karte der Hotels. Pfeiltasten bewegen sie, Plus und Minus zoomen.';
export const mapFailed = (reason: string) => `Die Karte wurde nicht geladen: ${reason}`;
export const mapSource = '© OpenStreetMap-Mitwirkende';

export const checkTimes = (from: string, until: string) => `Anreise ab ${from}, Abreise bis ${until}`;
export const directions = 'Weg zeigen';
export const roomById = 'Das Zimmer einer Schlüsselkarte zeigen';
export const roomId = 'Zimmernummer auf der Karte';
export const roomIdExample = 'r0001';
export const showRoom = 'Zimmer zeigen';

export const checkIn = 'Anreise';
export const checkOut = 'Abreise';
export const rooms = 'Zimmer';
export const guests = 'Gäste';
export const noNight = 'Die Abreise muss nach der Anreise sein.';
export const tooManyNights = (most: number) => `Ein Aufenthalt hat höchstens ${most} Nächte.`;

export const nightCount = (many: number) => `${many} ${many === 1 ? 'Nacht' : 'Nächte'}`;
export const roomCount = (many: number) => `${many} Zimmer`;
export const guestCount = (many: number) => `${many} ${many === 1 ? 'Gast' : 'Gäste'}`;
export const wanted = (nights: number, many: number, people: number) =>
  [nightCount(nights), roomCount(many), guestCount(people)].join(', ');

interface Terms {
  readonly freeCancelHours: number;
  readonly lateCancelPercent: number;
}
const feeOf = (percent: number) => (percent === 100 ? 'der volle Preis' : `${percent} % des Preises`);
export const roomType = ({
  capacity,
  beds,
  freeCancelHours,
  lateCancelPercent,
}: Terms & { readonly capacity: number; readonly beds: number }) => {
  const fee = feeOf(lateCancelPercent);
  const terms = `bis ${freeCancelHours} Std. vor der Anreise kostenlos stornierbar, danach ${fee}`;
  return `${guestCount(capacity)} · ${beds} ${beds === 1 ? 'Bett' : 'Betten'} · ${terms}`;
};
const meals = {
  none: '',
  breakfast: ' mit Frühstück',
  half_board: ' mit Halbpension',
  full_board: ' mit Vollpension',
  all_inclusive: ', alles inklusive',
} as const;
export const planName = ({ name, meal }: { readonly name: string; readonly meal: keyof typeof meals }) =>
  `${name}${meals[meal]}`;
export const planTerms = ({
  refundable,
  freeCancelHours,
  lateCancelPercent,
}: Terms & { readonly refundable: boolean }) => {
  const fee = feeOf(lateCancelPercent);
  return refundable
    ? `Bis ${freeCancelHours} Std. vor der Anreise kostenlos stornierbar, danach ${fee}.`
    : `Bei Stornierung wird ${fee} berechnet.`;
};
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
    'stop-sell': `Zurzeit nicht buchbar: ${dates.join(', ')}.`,
    'closed-to-arrival': `Keine Anreise am ${dates[0]}. Wählen Sie eine andere.`,
    'closed-to-departure': `Keine Abreise am ${dates[0]}. Wählen Sie eine andere.`,
    'minimum-stay': `Mindestens ${nightCount(nights)} ab ${dates[0]}.`,
    'maximum-stay': `Höchstens ${nightCount(nights)} ab ${dates[0]}.`,
  })[code] ?? 'An diesen Tagen nicht buchbar.';
export const pricePerNight = 'Preis pro Nacht';
export const netPrice = (amount: string) => `Ohne Steuern und Abgaben ${amount}`;
export const soldOut = 'ausgebucht';
export const roomsLeft = (many: number) => `noch ${many}`;
export const onlyRoomsLeft = (many: number) => `nur noch ${many}`;
export const noPrice = 'kein Preis';
export const notEnoughRooms = (days: string) => `Nicht genug Zimmer am ${days}.`;
export const notOnSale = 'Einige dieser Nächte sind noch nicht buchbar.';
export const reserve = 'Buchen';

export const guestForm = 'Ihre Angaben';
export const guestField = { name: 'Name', email: 'E-Mail', phone: 'Telefon', guests: 'Gäste' } as const;
export const optional = (field: string) => `${field} (freiwillig)`;
export const detailsHint = (receiptByEmail: boolean) =>
  receiptByEmail
    ? 'Wir senden den Beleg an diese E-Mail-Adresse. Ihre Angaben dienen nur diesem Aufenthalt.'
    : 'Ihre Angaben dienen nur diesem Aufenthalt.';
export const goToPayment = 'Weiter zur Zahlung';
export const back = 'Zurück';
export const enterName = 'Geben Sie den Namen des ersten Gastes ein.';
export const shortenName = (most: number) => `Geben Sie einen Namen mit höchstens ${most} Zeichen ein.`;
export const unreadableName = 'Der Name hat ein unlesbares Zeichen. Geben Sie ihn noch einmal ein.';
export const enterEmail = 'Geben Sie Ihre E-Mail-Adresse ein.';
export const checkEmail = 'Geben Sie eine E-Mail-Adresse wie anna@example.org ein.';
export const checkPhone = 'Geben Sie eine Nummer wie +46 31 123 45 67 ein, oder lassen Sie das Feld leer.';
export const checkGuests = 'Geben Sie die Zahl der Gäste ein, oder lassen Sie das Feld leer.';
export const sleepsAtMost = (most: number) => `Diese Zimmer haben Platz für höchstens ${guestCount(most)}.`;
export const priceForGuests = (many: number, total: string) => `${total} für ${guestCount(many)}.`;

export const room = (number: string) => `Zimmer ${number}`;
export const floor = (number: number) => `Etage ${number}`;
export const roomUnavailable = (from: string, to: string) => `Nicht verfügbar vom ${from} bis ${to}`;
export const roomStatus = {
  available: 'frei',
  inspected: 'frei',
  occupied: 'belegt',
  dirty: 'wird gereinigt',
  out_of_order: 'außer Betrieb',
  retired: 'nicht mehr in Gebrauch',
} as const;

export const reservationStatus = {
  pending_payment: 'Zahlung offen',
  paid: 'bezahlt',
  payment_returned: 'Zahlung zurückgebucht',
  checked_in: 'angereist',
  completed: 'abgeschlossen',
  rejected: 'Zahlung fehlgeschlagen',
  expired: 'abgelaufen',
  cancelled: 'storniert',
  refunded: 'erstattet',
  no_show: 'nicht angereist',
} as const;
export const noReservations = 'Sie haben noch keine Buchungen.';
export const findHotel = 'Ein Hotel finden';
export const olderReservations = 'Ältere Buchungen zeigen';
export const stayLength = (nights: number, many: number, people?: number) =>
  `${nightCount(nights)}, ${roomCount(many)}${people === undefined ? '' : `, ${guestCount(people)}`} im`;
export const theHotel = 'Hotel';
export const bookingNumber = 'Buchungsnummer';
export const receipt = 'Beleg';
export const calendarFile = 'Kalenderdatei';
export const roomNumbers = (numbers: string) => `Zimmer ${numbers}`;
export const refundPending = (amount: string) => `${amount} werden erstattet`;
export const refundPaid = (amount: string) => `${amount} erstattet`;
export const pay = 'Bezahlen';
export const cancel = 'Stornieren';
export const cancelOneRoom = 'Ein Zimmer stornieren';
export const fullRefund = 'Sie erhalten den vollen Betrag zurück.';
export const restRefunded = 'Der Rest Ihrer Zahlung wird erstattet.';
export const cancellationFee = (percent: number) => `Die Stornierung kostet ${percent} % des Preises.`;
export const confirmCancel = 'Ja, stornieren';
export const confirmCancelOneRoom = 'Ja, ein Zimmer stornieren';
export const keepReservation = 'Buchung behalten';

export const changeStay = 'Daten oder Zimmer ändern';
export const showPrice = 'Preis zeigen';
export const confirmChange = 'Änderung bestätigen';
export const changeAndPay = (amount: string) => `Ändern und ${amount} bezahlen`;
export const keepStay = 'So lassen';
export const costsMore = (price: string, difference: string) =>
  `Neuer Preis ${price}. Sie zahlen ${difference} mehr; danach wird geändert.`;
export const costsLess = (price: string, refund: string) =>
  `Neuer Preis ${price}. ${refund} werden erstattet.`;
export const costsSame = (price: string) => `Neuer Preis ${price}.`;
export const supplementWaits = (amount: string) =>
  `${amount} zu zahlen. Bis dahin bleibt Ihr Aufenthalt, wie er ist.`;
export const doNotPay = 'Nicht zahlen, Aufenthalt behalten';
export const forExtras = 'Für Extras Ihres Aufenthalts.';
export const forChange = (dates: string, many: number, price: string) =>
  `Für die Änderung auf ${dates}, ${roomCount(many)}, insgesamt ${price}.`;
export const supplementStatus = {
  preparing: 'Die Zahlung wird vorbereitet.',
  open: 'Zahlen Sie die Differenz. Bis dahin bleibt Ihr Aufenthalt, wie er ist.',
  confirm: 'Ihre Bank bittet Sie, die Zahlung zu bestätigen.',
  processing: 'Die Zahlung wird bearbeitet. Diese Seite zeigt, wenn sie abgeschlossen ist.',
  paid: 'Bezahlt. Ihr Aufenthalt wird geändert.',
  failed: 'Die Zahlung ist fehlgeschlagen. Ihr Aufenthalt bleibt, wie er ist.',
} as const;
export const payWithin = (left: string) => `zahlbar innerhalb von ${left}`;

export const payment = 'Zahlung';
export const payByCard = 'Mit Karte bezahlen';
export const confirmAtBank = 'Bei Ihrer Bank bestätigen';
export const tryAnotherCard = 'Andere Karte versuchen';
export const cardHint =
  'Sie geben Ihre Karte auf der Seite des Zahlungsdienstes ein; wir sehen die Nummer nie. In dieser ' +
  'Vorführung: 4242 4242 4242 4242, oder 4000 0000 0000 0002 für eine abgelehnte Karte.';
export const heldFor = (left: string) => `Zimmer gehalten für ${left}`;
export const paymentStatus = {
  preparing: 'Die Zahlung wird vorbereitet.',
  open: 'Zahlen Sie, um Ihre Zimmer zu bestätigen.',
  confirm: 'Ihre Bank bittet Sie, die Zahlung zu bestätigen.',
  processing: 'Die Zahlung wird bearbeitet. Diese Seite zeigt, wenn sie abgeschlossen ist.',
  paid: 'Bezahlt. Ihre Zimmer sind gebucht.',
  failed: 'Die Zahlung ist fehlgeschlagen. Die Zimmer sind wieder frei.',
} as const;

const declines: Readonly<Record<string, string>> = {
  insufficient_funds: 'Ihre Karte ist nicht gedeckt.',
  expired_card: 'Ihre Karte ist abgelaufen.',
  incorrect_number: 'Die Kartennummer ist falsch.',
  incorrect_cvc: 'Die Prüfziffer Ihrer Karte ist falsch.',
  address_mismatch: 'Ihre Adresse ist nicht die, die Ihre Bank hat.',
  authentication_required: 'Ihre Bank will, dass Sie die Zahlung bestätigen. Bezahlen Sie hier noch einmal.',
  unknown_card_token: 'Die gespeicherte Karte gilt nicht für diese Zahlung.',
};
export const declined = (code: string): string => declines[code] ?? 'Ihre Karte wurde abgelehnt.';
export const tryAnotherCardWithin = (minutes: number) =>
  `Versuchen Sie innerhalb von ${minutes} ${minutes === 1 ? 'Minute' : 'Minuten'} eine andere Karte.`;
export const roomsReleased = 'Die Zimmer sind wieder frei.';

export const paymentEnd: Readonly<Record<string, string>> = {
  no_rooms_left: 'Ihre Zahlung kam, als die Zimmer verkauft waren. Sie erhalten den vollen Betrag zurück.',
  amount_differs:
    'Der Zahlungsdienst hat einen falschen Betrag belastet. Sie erhalten ihn zurück. Die Zimmer sind ' +
    'wieder frei.',
  expired: 'Die Zeit zum Bezahlen ist vorbei. Die Zimmer sind wieder frei.',
  voided: 'Die Zahlung wurde abgebrochen. Die Zimmer sind wieder frei.',
  retries_exhausted:
    'Der Zahlungsdienst antwortet nicht. Die Zimmer sind wieder frei. Versuchen Sie es später noch einmal.',
  risk_blocked: 'Die Zahlung wurde abgelehnt. Die Zimmer sind wieder frei.',
  review_denied: 'Die Zahlung wurde abgelehnt. Die Zimmer sind wieder frei.',
};

export const problems: Readonly<Record<string, string>> = {
  'not-found': 'Das gibt es nicht.',
  forbidden: 'Dazu sind Sie nicht berechtigt.',
  unauthenticated: 'Die Seite braucht eine neue Anmeldung. Laden Sie sie neu.',
  'invalid-request': 'Einige Angaben sind falsch oder fehlen.',
  'insufficient-inventory': 'Es gibt nicht genug Zimmer.',
  'not-bookable': 'Diese Daten sind nicht buchbar.',
  'no-rate': 'Einige dieser Nächte haben noch keinen Preis.',
  'reservation-not-changeable': 'Die Buchung kann jetzt nicht so geändert werden.',
  'stay-changed-before': 'Ihr Aufenthalt wurde inzwischen geändert. Er steht hier, wie er jetzt ist.',
  'dates-cost-more': 'Der Preis hat sich geändert. Zeigen Sie ihn noch einmal an.',
  'change-waits': 'Eine Änderung wartet schon auf Zahlung.',
  'too-many-guests': 'Die Zimmer haben keinen Platz für so viele Gäste.',
  'too-many-holds': 'Sie haben zu viele unbezahlte Buchungen. Bezahlen oder stornieren Sie eine.',
  'too-many-requests': 'Zu viele Anfragen. Versuchen Sie es in einer Minute noch einmal.',
};
