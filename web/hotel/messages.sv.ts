/** Swedish texts of the guest pages. */

export const brand = 'Bo';
export const pageTitle = 'Meridian Bo';
export const reservationsTitle = 'Mina bokningar · Meridian Bo';
export const mainNavigation = 'Huvudmeny';
export const hotels = 'Hotell';
export const myReservations = 'Mina bokningar';
export const liveMap = 'Karta';

export const loading = 'Hämtar…';
export const offlineNow =
  'Du är offline. Det som visas kan vara gammalt; det hämtas igen när nätverket är tillbaka.';
export const busyNow = 'Servern är upptagen. Försöker igen.';
export const retry = 'Försök igen';
export const notAtDesk = 'Ditt konto har inte tillgång till receptionen. Be om behörigheten ”desk”.';

export const hotelName = 'Namn';
export const anyHotel = 'Alla hotell';
export const noHotels = 'Inget hotell har det namnet.';
export const noRoomTypes = 'Det här hotellet har inga rum än.';
export const confirmed = 'Bokningen är bekräftad';
export const searchStay = 'Datum och gäster';
export const sortBy = 'Sortera efter';
export const sorts = { price: 'Lägsta pris', name: 'A till Ö' } as const;
export const freeCancellationOnly = 'Fri avbokning';
export const noneMatch = 'Inget hotell har sådana rum då. Prova andra datum eller färre filter.';
export const totalFor = (nights: number, people: number) =>
  `${nightCount(nights)}, ${guestCount(people)}, inklusive skatter`;
export const freeUntil = (hours: number) => `Fri avbokning till ${hours} tim före`;
export const notRefundable = 'Återbetalas inte';
export const noPriceBecause = {
  'too-small': 'Inte plats för så många gäster',
  full: 'Fullbokat dessa datum',
  'not-sold': 'Säljs inte dessa datum',
} as const;
export const moreHotels = 'Fler hotell passar. Skriv mer av namnet.';
export const map = 'Karta';
export const mapLabel = 'Karta över hotellen. Flytta med piltangenterna, zooma med plus eller minus.';
export const mapFailed = (reason: string) => `Kartan kunde inte hämtas: ${reason}`;
export const mapSource = '© OpenStreetMaps bidragsgivare';

export const checkTimes = (from: string, until: string) =>
  `Incheckning från ${from}, utcheckning senast ${until}`;
export const directions = 'Visa vägen';
export const roomById = 'Visa rummet för ett nyckelkort';
export const roomId = 'Rummets nummer på kortet';
export const roomIdExample = 'r0001';
export const showRoom = 'Visa rum';

export const checkIn = 'Incheckning';
export const checkOut = 'Utcheckning';
export const rooms = 'Rum';
export const guests = 'Gäster';
export const noNight = 'Utcheckningen måste vara efter incheckningen.';
export const tooManyNights = (most: number) => `En vistelse kan vara högst ${most} nätter.`;

export const nightCount = (many: number) => `${many} ${many === 1 ? 'natt' : 'nätter'}`;
export const roomCount = (many: number) => `${many} rum`;
export const guestCount = (many: number) => `${many} ${many === 1 ? 'gäst' : 'gäster'}`;
export const wanted = (nights: number, many: number, people: number) =>
  [nightCount(nights), roomCount(many), guestCount(people)].join(', ');

interface Terms {
  readonly freeCancelHours: number;
  readonly lateCancelPercent: number;
}
const feeOf = (percent: number) => (percent === 100 ? 'hela priset' : `${percent} % av priset`);
export const roomType = ({
  capacity,
  beds,
  freeCancelHours,
  lateCancelPercent,
}: Terms & { readonly capacity: number; readonly beds: number }) => {
  const fee = feeOf(lateCancelPercent);
  const terms = `fri avbokning till ${freeCancelHours} tim före incheckning, sedan ${fee}`;
  return `${guestCount(capacity)} · ${beds} ${beds === 1 ? 'säng' : 'sängar'} · ${terms}`;
};
const meals = {
  none: '',
  breakfast: ' med frukost',
  half_board: ' med halvpension',
  full_board: ' med helpension',
  all_inclusive: ', allt ingår',
} as const;
export const planName = ({ name, meal }: { readonly name: string; readonly meal: keyof typeof meals }) =>
  `${name}${meals[meal]}`;
export const planTerms = ({
  refundable,
  freeCancelHours,
  lateCancelPercent,
}: Terms & { readonly refundable: boolean }) =>
  refundable
    ? `Fri avbokning till ${freeCancelHours} tim före incheckning, sedan ${feeOf(lateCancelPercent)}.`
    : `En avbokning kostar ${feeOf(lateCancelPercent)}.`;
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
    'stop-sell': `Säljs inte nu: ${dates.join(', ')}.`,
    'closed-to-arrival': `Ingen ankomst ${dates[0]}. Välj en annan incheckning.`,
    'closed-to-departure': `Ingen avresa ${dates[0]}. Välj en annan utcheckning.`,
    'minimum-stay': `Stanna minst ${nightCount(nights)} från ${dates[0]}.`,
    'maximum-stay': `Stanna högst ${nightCount(nights)} från ${dates[0]}.`,
  })[code] ?? 'Säljs inte dessa datum.';
export const pricePerNight = 'Pris per natt';
export const netPrice = (amount: string) => `Utan skatter och avgifter ${amount}`;
export const soldOut = 'fullbokat';
export const roomsLeft = (many: number) => `${many} kvar`;
export const onlyRoomsLeft = (many: number) => `bara ${many} kvar`;
export const noPrice = 'inget pris';
export const notEnoughRooms = (days: string) => `Inte tillräckligt många rum ${days}.`;
export const notOnSale = 'Några av nätterna säljs inte ännu.';
export const reserve = 'Boka';

export const guestForm = 'Dina uppgifter';
export const guestField = { name: 'Namn', email: 'E-post', phone: 'Telefon', guests: 'Gäster' } as const;
export const optional = (field: string) => `${field} (frivilligt)`;
export const detailsHint = (receiptByEmail: boolean) =>
  receiptByEmail
    ? 'Vi skickar kvittot till den här e-postadressen. Uppgifterna används bara för vistelsen.'
    : 'Uppgifterna används bara för vistelsen.';
export const goToPayment = 'Till betalningen';
export const back = 'Tillbaka';
export const enterName = 'Ange den första gästens namn.';
export const shortenName = (most: number) => `Ange ett namn på högst ${most} tecken.`;
export const unreadableName = 'Namnet har ett oläsligt tecken. Skriv det igen.';
export const enterEmail = 'Ange din e-postadress.';
export const checkEmail = 'Ange en e-postadress som anna@example.org.';
export const checkPhone = 'Ange ett telefonnummer som +46 31 123 45 67, eller lämna fältet tomt.';
export const checkGuests = 'Ange antalet gäster, eller lämna fältet tomt.';
export const sleepsAtMost = (most: number) => `Rummen har plats för högst ${guestCount(most)}.`;
export const priceForGuests = (many: number, total: string) => `${total} för ${guestCount(many)}.`;

export const room = (number: string) => `Rum ${number}`;
export const floor = (number: number) => `våning ${number}`;
export const roomUnavailable = (from: string, to: string) => `Inte ledigt från ${from} till ${to}`;
export const roomStatus = {
  available: 'ledigt',
  inspected: 'ledigt',
  occupied: 'upptaget',
  dirty: 'städas',
  out_of_order: 'ur bruk',
  retired: 'används inte längre',
} as const;

export const reservationStatus = {
  pending_payment: 'väntar på betalning',
  paid: 'betald',
  payment_returned: 'betalningen återkallad',
  checked_in: 'incheckad',
  completed: 'avslutad',
  rejected: 'betalningen misslyckades',
  expired: 'tiden gick ut',
  cancelled: 'avbokad',
  refunded: 'återbetald',
  no_show: 'uteblev',
} as const;
export const noReservations = 'Du har inga bokningar ännu.';
export const findHotel = 'Hitta ett hotell';
export const olderReservations = 'Visa äldre bokningar';
export const stayLength = (nights: number, many: number, people?: number) =>
  `${nightCount(nights)}, ${roomCount(many)}${people === undefined ? '' : `, ${guestCount(people)}`} på`;
export const theHotel = 'hotellet';
export const bookingNumber = 'Bokningsnummer';
export const receipt = 'Kvitto';
export const calendarFile = 'Kalenderfil';
export const roomNumbers = (numbers: string) => `rum ${numbers}`;
export const refundPending = (amount: string) => `${amount} kommer att återbetalas`;
export const refundPaid = (amount: string) => `${amount} återbetalat`;
export const pay = 'Betala';
export const cancel = 'Avboka';
export const cancelOneRoom = 'Avboka ett rum';
export const fullRefund = 'Du får tillbaka hela beloppet.';
export const restRefunded = 'Resten av betalningen återbetalas.';
export const cancellationFee = (percent: number) => `Avbokningen kostar ${percent} % av priset.`;
export const confirmCancel = 'Ja, avboka';
export const confirmCancelOneRoom = 'Ja, avboka ett rum';
export const keepReservation = 'Behåll bokningen';

export const changeStay = 'Ändra datum eller rum';
export const showPrice = 'Visa pris';
export const confirmChange = 'Bekräfta ändringen';
export const changeAndPay = (amount: string) => `Ändra och betala ${amount}`;
export const keepStay = 'Behåll som det är';
export const costsMore = (price: string, difference: string) =>
  `Nytt pris ${price}. Du betalar ${difference} till; ändringen görs därefter.`;
export const costsLess = (price: string, refund: string) => `Nytt pris ${price}. ${refund} återbetalas.`;
export const costsSame = (price: string) => `Nytt pris ${price}.`;
export const supplementWaits = (amount: string) =>
  `${amount} att betala. Din vistelse ändras inte förrän dess.`;
export const doNotPay = 'Betala inte, behåll min vistelse';
export const forExtras = 'För tillägg till din vistelse.';
export const forChange = (dates: string, many: number, price: string) =>
  `För ändringen till ${dates}, ${roomCount(many)}, totalt ${price}.`;
export const supplementStatus = {
  preparing: 'Betalningen förbereds.',
  open: 'Betala skillnaden. Till dess är din vistelse som den är.',
  confirm: 'Din bank ber dig bekräfta betalningen.',
  processing: 'Betalningen behandlas. Sidan uppdateras när den är klar.',
  paid: 'Betalt. Din vistelse uppdateras.',
  failed: 'Betalningen misslyckades. Din vistelse är som den var.',
} as const;
export const payWithin = (left: string) => `att betala inom ${left}`;

export const payment = 'Betalning';
export const payByCard = 'Betala med kort';
export const confirmAtBank = 'Bekräfta hos din bank';
export const tryAnotherCard = 'Prova ett annat kort';
export const cardHint =
  'Du anger kortet på betaltjänstens sida; vi ser aldrig numret. I den här demon: ' +
  '4242 4242 4242 4242, eller 4000 0000 0000 0002 för ett kort som nekas.';
export const heldFor = (left: string) => `rummen hålls i ${left}`;
export const paymentStatus = {
  preparing: 'Betalningen förbereds.',
  open: 'Betala för att bekräfta rummen.',
  confirm: 'Din bank ber dig bekräfta betalningen.',
  processing: 'Betalningen behandlas. Sidan uppdateras när den är klar.',
  paid: 'Betalt. Dina rum är bokade.',
  failed: 'Betalningen misslyckades. Rummen släpptes.',
} as const;

const declines: Readonly<Record<string, string>> = {
  insufficient_funds: 'Kortet saknar täckning.',
  expired_card: 'Kortet har gått ut.',
  incorrect_number: 'Kortnumret är fel.',
  incorrect_cvc: 'Kortets säkerhetskod är fel.',
  address_mismatch: 'Adressen är inte den som din bank har.',
  authentication_required: 'Din bank vill att du bekräftar betalningen. Betala igen medan du är här.',
  unknown_card_token: 'Det sparade kortet kan inte användas för den här betalningen.',
};
export const declined = (code: string): string => declines[code] ?? 'Kortet nekades.';
export const tryAnotherCardWithin = (minutes: number) =>
  `Prova ett annat kort inom ${minutes} ${minutes === 1 ? 'minut' : 'minuter'}.`;
export const roomsReleased = 'Rummen släpptes.';

export const paymentEnd: Readonly<Record<string, string>> = {
  no_rooms_left: 'Betalningen kom när rummen var sålda. Du får tillbaka hela beloppet.',
  amount_differs: 'Betaltjänsten drog fel belopp. Du får tillbaka hela beloppet. Rummen släpptes.',
  expired: 'Tiden för att betala är slut. Rummen släpptes.',
  voided: 'Betalningen avbröts. Rummen släpptes.',
  retries_exhausted: 'Betaltjänsten svarar inte. Rummen släpptes. Försök igen senare.',
  risk_blocked: 'Betalningen nekades. Rummen släpptes.',
  review_denied: 'Betalningen nekades. Rummen släpptes.',
};

export const problems: Readonly<Record<string, string>> = {
  'not-found': 'Det finns inte.',
  forbidden: 'Du har inte behörighet till det.',
  unauthenticated: 'Sidan behöver en ny inloggning. Ladda om den.',
  'invalid-request': 'Några uppgifter är fel eller saknas.',
  'insufficient-inventory': 'Det finns inte tillräckligt många rum.',
  'not-bookable': 'Dessa datum säljs inte.',
  'no-rate': 'Några av nätterna har inget pris ännu.',
  'reservation-not-changeable': 'Bokningen kan inte ändras så nu.',
  'stay-changed-before': 'Din vistelse har ändrats under tiden. Så här är den nu.',
  'dates-cost-more': 'Priset har ändrats. Visa det igen.',
  'change-waits': 'En ändring väntar redan på betalning.',
  'too-many-guests': 'Rummen har inte plats för så många gäster.',
  'too-many-holds': 'Du har för många obetalda bokningar. Betala eller avboka en av dem.',
  'too-many-requests': 'För många frågor. Försök igen om en minut.',
};
