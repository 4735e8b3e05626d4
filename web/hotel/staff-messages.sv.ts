/** Swedish texts of the staff pages. */
import type { FolioView } from '#schemas/http/hotel-folio.js';
import { receiptFailure } from './staff-codes.sv.js';

export const brand = 'Reception';
export const calendar = 'Beläggning';
export const roomPlan = 'Rumsplan';
export const reservations = 'Bokningar';
export const refunds = 'Återbetalningar';
export const rates = 'Priser';
export const housekeeping = 'Städning';
export const groups = 'Grupper';
export const auditLog = 'Logg';

export const reason = 'Skäl (till loggen)';

export const hotel = 'Hotell';
export const hotelChoice = (name: string, many: number) => `${name} (${many} rum)`;
export const allHotels = 'Alla hotell';

export const todayTitle = 'I dag';
export const arrivals = (stays: number) => `Ankomster (${stays})`;
export const departures = (stays: number) => `Avresor (${stays})`;
export const inHouse = (stays: number) => `Bor här i natt (${stays})`;
export const noHotelsYet = 'Det finns inget hotell än. Det visas här så snart det har lagts upp.';
export const noArrivals = 'Alla som väntas har checkat in.';
export const noDepartures = 'Ingen behöver checka ut i dag.';
export const nobodyInHouse = 'Ingen incheckad gäst stannar i natt.';
export const balanceDue = (amount: string) => `${amount} att betala`;

export const from = 'Från';
export const roomType = 'Rumstyp';
export const noInventory = 'Inga rum är upplagda för dessa datum ännu.';
export const overbooked = 'överbokat';
export const previousWeek = '← Veckan före';
export const thisDay = 'I dag';
export const nextWeek = 'Veckan efter →';
export const legend = {
  counts: '7/10: 7 av 10 rum är bokade',
  full: '10/10: alla rum är bokade',
  over: '11/10: överbokat',
  none: '–: säljs inte',
} as const;

export const someRoom = 'Rum';

export const guest = 'Gäst';
export const bookingNumber = 'Bokningsnummer';
export const bookingExample = 'K4W-7FM-2XR';
export const status = 'Status';
export const allStatuses = 'Alla';
export const stayingOn = 'Bor här den';
export const searchHint = 'Välj ett hotell eller ange ett bokningsnummer.';
export const reservationColumns = ['Nätter', 'Hotell', 'Rum', 'Bokning', 'Status', 'Pris', 'Att återbetala'];
export const noReservations = 'Inga bokningar hittades.';
export const olderReservations = 'Äldre bokningar passar också. Begränsa sökningen.';

export const summary = (number: string | undefined, hotelName: string, many: string) =>
  `${number === undefined ? '' : `Bokning ${number} · `}${hotelName} · ${many}`;
export const roomsOfOneType = (count: string, type: string) => `${count} × ${type}`;
export const roomNumbers = (numbers: string) => `rum\u00a0${numbers}`;
export const money = (total: string, paid: string, due: string, refunded: string) =>
  `${total}, betalat ${paid}, att återbetala ${due}, återbetalat ${refunded}`;
export const disputed = (amount: string) => `Gästens bank har tagit tillbaka ${amount} i en tvist.`;
export const paymentReturned = (isDisputed: boolean) => {
  const then = isDisputed ? 'Avboka, eller vänta tills tvisten är vunnen.' : 'Avboka bokningen.';
  return `Hela betalningen har gått tillbaka. Rummen hålls, men gästen kan inte checka in. ${then}`;
};
export const waitsForPayment = (amount: string, until: string) =>
  `Gästen kan betala ${amount} till fram till ${until}. En ändring av vistelsen görs därefter.`;
export const staffActivity = 'Personalens åtgärder';
export const actions = {
  cancelPayment: 'Avbryt betalningen',
  cancelReservation: 'Avboka',
  assignRooms: 'Tilldela rum',
  checkIn: 'Checka in',
  noShow: 'Markera som utebliven',
  checkOut: 'Checka ut',
  refund: 'Återbetala allt',
  askForExtras: 'Be gästen betala tillägg',
} as const;

export const auditColumns = ['Tid', 'Personal', 'Åtgärd', 'Gäller', 'Skäl', 'Resultat'];
export const inProgress = 'pågår';
export const theReservation = 'Bokning';
export { action, givenReason, outcome, problems } from './staff-codes.sv.js';
export const automatic = 'automatiskt';
export const noActions = 'Inga åtgärder ännu.';

export const firstNight = 'Första natten';
export const lastNight = 'Sista natten';
export const price = (currency: string) => `Pris per natt (${currency})`;
export const setPrice = 'Sätt pris';
export const pricesNow = (currency: string) => `Priser nu (${currency})`;
export const pricesNowHint =
  'Före prisplaner, steg efter beläggning och skatter. Bokningar behåller sitt pris.';
export const priceSet = (nights: number) =>
  `Priset är satt för ${nights} ${nights === 1 ? 'natt' : 'nätter'}.`;

export const show = 'Visa';
export const allRooms = 'Alla';
export const toClean = 'Att städa';
export const roomStatus = {
  dirty: 'Ostädat',
  available: 'Städat',
  inspected: 'Godkänt',
  occupied: 'Upptaget',
  out_of_order: 'Ur bruk',
  retired: 'Används inte',
} as const;
export const floor = 'Våning';
export const allFloors = 'Alla våningar';
export const allTypes = 'Alla typer';
export const roomNumber = 'Rumsnummer';
export const anyNumber = 'Alla';
export const roomName = (number: string) => `Rum ${number}`;
export const place = (type: string, level: number) => `${type} · våning\u00a0${level}`;
export const work = {
  departure: 'Gästerna reser',
  'stay-over': 'Gästerna bor kvar',
  inspection: 'Att kontrollera',
} as const;
export const arrival = 'Nästa gäster kommer i dag';
export const selectAll = 'Välj alla på sidan';
export const selected = (many: number) => `${many} valda`;
export const optionalReason = 'Skäl (frivilligt, till loggen)';
export const markAs = {
  dirty: 'Markera ostädat',
  available: 'Markera städat',
  inspected: 'Markera godkänt',
} as const;
export const noRooms = 'Inga rum passar.';
export const rooms = (many: number) => `${many} rum`;
const severalAre = { dirty: 'ostädade', available: 'städade', inspected: 'godkända' } as const;
export const roomsAre = (many: number, state: keyof typeof markAs) =>
  `${rooms(many)} är nu ${many === 1 ? roomStatus[state].toLowerCase() : severalAre[state]}.`;
export const notChanged = (number: string, why: string) => `Rum ${number} ändrades inte. ${why}`;
export const notTried = (many: number) => `${rooms(many)} till ändrades inte.`;
export const pageOf = (first: number, last: number, all: number) => `${first} till ${last} av ${rooms(all)}`;
export const previous = 'Föregående';
export const next = 'Nästa';
export const pages = 'Sidor';

const nightsOf = (many: number) => `${many} ${many === 1 ? 'rumsnatt' : 'rumsnätter'}`;
export const newBlock = 'Ny grupp';
export const openBlocks = 'Öppna';
export const releasedBlocks = 'Släppta';
export const noBlocks = 'Inga grupper ännu.';
export const newestBlocks = (many: number) => `Bara de ${many} nyaste grupperna visas.`;
export const blockSummary = (dates: string, blockCode: string) => `${dates} · kod ${blockCode}`;
export const pickedUpOf = (picked: number, held: number) => `${picked} av ${held} rumsnätter avropade`;
export const pickedUp = (many: number) => `${nightsOf(many)} ${many === 1 ? 'avropad' : 'avropade'}`;
export const heldUntil = (moment: string) => `hålls till ${moment}`;
export const releasedAt = (moment: string) => `släppt ${moment}`;
export const allGroups = 'Alla grupper';
export const nightsTitle = 'Rum per natt';
export const nightsLegend = 'Avropade / hållna för gruppen, och de rum som är kvar.';
export const left = (many: number) => `${many} kvar`;
export const allRoomTypes = 'Alla typer';
export const pickUps = (many: number) => `Bokningar (${many})`;
export const showMore = 'Visa fler';
export const noName = 'Namn saknas';
export const noPickUps = 'Ingen har bokat med koden ännu.';
export const newestPickUps = 'Bara de 500 nyaste visas.';
export const groupName = 'Gruppens namn';
export const code = 'Kod för gästerna';
export const codeRule = '4 till 32 tecken: A till Z, 0 till 9 och -';
export const releaseTime = (zone: string) => `Hålls till (${zone})`;
export const roomsOfType = 'Rum varje natt';
export const addType = 'Lägg till rumstyp';
export const roomsOf = (type: string) => `Rum, ${type}`;
export const remove = 'Ta bort';
export const create = 'Håll rummen';
export const change = 'Ändra';
export const save = 'Spara ändringarna';
export const cancel = 'Avbryt';
export const nothingChanged = 'Inget är ändrat ännu.';
export const blockNights = (most: number) => `En grupp har 1 till ${most} nätter.`;
export const badReleaseTime = 'Rummen hålls till en tid mellan nu och den sista natten.';
export const blockChanged = 'Gruppen är ändrad.';
export const release = 'Släpp resten';
export const releaseQuestion = (many: number) =>
  `${nightsOf(many)} går tillbaka till vanlig försäljning. Bokningarna är kvar.`;
export const confirmRelease = 'Ja, släpp';
export const keep = 'Behåll';

export const guestField = { name: 'Namn', email: 'E-post', phone: 'Telefon', guests: 'Gäster' } as const;
export const noGuest = 'Inget namn och ingen adress finns: de har inte lämnats, eller har raderats.';
export const addGuest = 'Lägg till gäst';
export const correctGuest = 'Rätta';
export const saveGuest = 'Spara gästen';
export const guestSaved = 'Gästen är sparad.';
export const checkGuests = 'Ange antalet gäster.';
export const eraseGuest = 'Radera personuppgifterna';
export const eraseQuestion = 'Namn, e-post och telefon raderas för gott. Bokningen är kvar.';
export const confirmErase = 'Ja, radera';
export const guestErased = 'Personuppgifterna är raderade.';

export const balance = (amount: string) => `Gästnota, saldo ${amount}`;
export const paymentKind = { capture: 'Betalning', refund: 'Återbetalning', dispute: 'Tvist' } as const;
export const onItsWay = 'pågår';
export const charge = (kind: FolioView['charges'][number]['kind'], name: string, many: number): string => {
  switch (kind) {
    case 'night':
      return many === 1 ? 'Rum' : rooms(many);
    case 'cancellation':
      return 'Avbokning';
    case 'no-show':
      return 'Utebliven gäst';
    case 'reduction':
      return 'Återbetalat utöver villkoren';
    case 'tax':
    case 'extra':
    case 'void':
      return name;
  }
};

export const receiptMail = ({
  state,
  failure = '',
}: {
  readonly state: 'waiting' | 'sent' | 'failed';
  readonly failure?: string;
}) => {
  switch (state) {
    case 'sent':
      return 'Kvittot har skickats med e-post.';
    case 'waiting':
      return failure === ''
        ? 'Kvittot väntar på att skickas med e-post.'
        : 'Kvittot kunde inte skickas med e-post. Nästa försök görs snart.';
    case 'failed': {
      const why = receiptFailure(failure);
      const what = `Kvittot skickades inte${why === undefined ? '' : `: ${why}`}.`;
      return `${what} Ge det till gästen, eller be om en annan adress.`;
    }
  }
};
