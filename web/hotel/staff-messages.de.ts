/** German texts of the staff pages. */
import type { FolioView } from '#schemas/http/hotel-folio.js';
import { receiptFailure } from './staff-codes.de.js';

export const brand = 'Empfang';
export const calendar = 'Belegung';
export const roomPlan = 'Zimmerplan';
export const reservations = 'Buchungen';
export const refunds = 'Erstattungen';
export const rates = 'Preise';
export const housekeeping = 'Reinigung';
export const groups = 'Gruppen';
export const auditLog = 'Protokoll';

export const reason = 'Grund (für das Protokoll)';

export const hotel = 'Hotel';
export const hotelChoice = (name: string, many: number) => `${name} (${many} Zimmer)`;
export const allHotels = 'Alle Hotels';

export const todayTitle = 'Heute';
export const arrivals = (stays: number) => `Anreisen (${stays})`;
export const departures = (stays: number) => `Abreisen (${stays})`;
export const inHouse = (stays: number) => `Heute Nacht im Haus (${stays})`;
export const noHotelsYet = 'Es gibt noch kein Hotel. Es erscheint hier, sobald es angelegt ist.';
export const noArrivals = 'Alle erwarteten Gäste sind angereist.';
export const noDepartures = 'Heute muss niemand mehr auschecken.';
export const nobodyInHouse = 'Kein angereister Gast bleibt heute Nacht.';
export const balanceDue = (amount: string) => `${amount} offen`;

export const from = 'Ab';
/** Where there is no room for it, it breaks between its words. */
export const roomType = 'Zimmer\u00adtyp';
export const noInventory = 'Für diese Tage sind noch keine Zimmer eingerichtet.';
export const overbooked = 'überbucht';
export const previousWeek = '← Vorwoche';
export const thisDay = 'Heute';
export const nextWeek = 'Folgewoche →';
export const legend = {
  counts: '7/10: 7 von 10 Zimmern sind gebucht',
  full: '10/10: alle Zimmer sind gebucht',
  over: '11/10: überbucht',
  none: '–: nicht im Verkauf',
} as const;

export const someRoom = 'Zimmer';

export const guest = 'Gast';
export const bookingNumber = 'Buchungsnummer';
export const bookingExample = 'K4W-7FM-2XR';
export const status = 'Status';
export const allStatuses = 'Alle';
export const stayingOn = 'Im Haus am';
export const searchHint = 'Wählen Sie ein Hotel, oder geben Sie eine Buchungsnummer ein.';
export const reservationColumns = ['Nächte', 'Hotel', 'Zimmer', 'Buchung', 'Status', 'Preis', 'Zu erstatten'];
export const noReservations = 'Keine Buchungen gefunden.';
export const olderReservations = 'Auch ältere Buchungen passen. Grenzen Sie die Suche ein.';

export const summary = (number: string | undefined, hotelName: string, many: string) =>
  `${number === undefined ? '' : `Buchung ${number} · `}${hotelName} · ${many}`;
export const roomsOfOneType = (count: string, type: string) => `${count} × ${type}`;
export const roomNumbers = (numbers: string) => `Zimmer\u00a0${numbers}`;
export const money = (total: string, paid: string, due: string, refunded: string) =>
  `${total}, bezahlt ${paid}, zu erstatten ${due}, erstattet ${refunded}`;
export const disputed = (amount: string) =>
  `Die Bank des Gastes hat ${amount} in einer Anfechtung zurückgebucht.`;
export const paymentReturned = (isDisputed: boolean) => {
  const then = isDisputed
    ? 'Stornieren Sie die Buchung, oder warten Sie, bis die Anfechtung gewonnen ist.'
    : 'Stornieren Sie die Buchung.';
  return `Die ganze Zahlung ging zurück. Die Zimmer sind gehalten, ein Check-in geht nicht. ${then}`;
};
export const waitsForPayment = (amount: string, until: string) =>
  `Der Gast kann bis ${until} noch ${amount} zahlen. Eine Änderung des Aufenthalts folgt danach.`;
export const staffActivity = 'Vorgänge des Personals';
export const actions = {
  cancelPayment: 'Zahlung abbrechen',
  cancelReservation: 'Buchung stornieren',
  assignRooms: 'Zimmer zuweisen',
  checkIn: 'Einchecken',
  noShow: 'Nichtanreise melden',
  checkOut: 'Auschecken',
  refund: 'Voll erstatten',
  askForExtras: 'Zahlung der Extras anfordern',
} as const;

export const auditColumns = ['Zeit', 'Personal', 'Vorgang', 'Betrifft', 'Grund', 'Ergebnis'];
export const inProgress = 'läuft';
export const theReservation = 'Buchung';
export { action, givenReason, outcome, problems } from './staff-codes.de.js';
export const automatic = 'automatisch';
export const noActions = 'Noch keine Vorgänge.';

export const firstNight = 'Erste Nacht';
export const lastNight = 'Letzte Nacht';
export const price = (currency: string) => `Preis pro Nacht (${currency})`;
export const setPrice = 'Preis festlegen';
export const pricesNow = (currency: string) => `Preise jetzt (${currency})`;
export const pricesNowHint =
  'Vor Preisplänen, Stufen nach Auslastung und Steuern. Buchungen behalten ihren Preis.';
export const priceSet = (nights: number) =>
  `Der Preis gilt für ${nights} ${nights === 1 ? 'Nacht' : 'Nächte'}.`;

export const show = 'Zeigen';
export const allRooms = 'Alle';
export const toClean = 'Zu reinigen';
export const roomStatus = {
  dirty: 'Schmutzig',
  available: 'Sauber',
  inspected: 'Geprüft',
  occupied: 'Belegt',
  out_of_order: 'Außer Betrieb',
  retired: 'Stillgelegt',
} as const;
export const floor = 'Etage';
export const allFloors = 'Alle Etagen';
export const allTypes = 'Alle Typen';
export const roomNumber = 'Zimmernummer';
export const anyNumber = 'Alle';
export const roomName = (number: string) => `Zimmer ${number}`;
export const place = (type: string, level: number) => `${type} · Etage\u00a0${level}`;
export const work = {
  departure: 'Gäste reisen ab',
  'stay-over': 'Gäste bleiben',
  inspection: 'Zu prüfen',
} as const;
export const arrival = 'Heute reisen Gäste an';
export const selectAll = 'Alle auf dieser Seite auswählen';
export const selected = (many: number) => `${many} ausgewählt`;
export const optionalReason = 'Grund (freiwillig, für das Protokoll)';
export const markAs = {
  dirty: 'Schmutzig melden',
  available: 'Sauber melden',
  inspected: 'Geprüft melden',
} as const;
export const noRooms = 'Keine Zimmer passen.';
export const rooms = (many: number) => `${many} Zimmer`;
export const roomsAre = (many: number, state: keyof typeof markAs) =>
  `${rooms(many)} ${many === 1 ? 'ist' : 'sind'} jetzt ${roomStatus[state].toLowerCase()}.`;
export const notChanged = (number: string, why: string) => `Zimmer ${number} wurde nicht geändert. ${why}`;
export const notTried = (many: number) =>
  `${many} ${many === 1 ? 'weiteres Zimmer wurde' : 'weitere Zimmer wurden'} nicht geändert.`;
export const pageOf = (first: number, last: number, all: number) =>
  `${first} bis ${last} von ${all} ${all === 1 ? 'Zimmer' : 'Zimmern'}`;
export const previous = 'Zurück';
export const next = 'Weiter';
export const pages = 'Seiten';

const nightsOf = (many: number) => `${many} ${many === 1 ? 'Zimmernacht' : 'Zimmernächte'}`;
export const newBlock = 'Neue Gruppe';
export const openBlocks = 'Offen';
export const releasedBlocks = 'Freigegeben';
export const noBlocks = 'Noch keine Gruppen.';
export const newestBlocks = (many: number) => `Nur die neuesten ${many} Gruppen werden gezeigt.`;
export const blockSummary = (dates: string, blockCode: string) => `${dates} · Code ${blockCode}`;
export const pickedUpOf = (picked: number, held: number) => `${picked} von ${held} Zimmernächten abgerufen`;
export const pickedUp = (many: number) => `${nightsOf(many)} abgerufen`;
export const heldUntil = (moment: string) => `gehalten bis ${moment}`;
export const releasedAt = (moment: string) => `freigegeben ${moment}`;
export const allGroups = 'Alle Gruppen';
export const nightsTitle = 'Zimmer pro Nacht';
export const nightsLegend = 'Abgerufen / für die Gruppe gehalten, und die Zimmer, die noch frei sind.';
export const left = (many: number) => `${many} frei`;
export const allRoomTypes = 'Alle Typen';
export const pickUps = (many: number) => `Buchungen (${many})`;
export const showMore = 'Mehr zeigen';
export const noName = 'Ohne Namen';
export const noPickUps = 'Noch hat niemand mit dem Code gebucht.';
export const newestPickUps = 'Nur die neuesten 500 werden gezeigt.';
export const groupName = 'Name der Gruppe';
export const code = 'Code für die Gäste';
export const codeRule = '4 bis 32 Zeichen: A bis Z, 0 bis 9 und -';
export const releaseTime = (zone: string) => `Gehalten bis (${zone})`;
export const roomsOfType = 'Zimmer in jeder Nacht';
export const addType = 'Zimmertyp hinzufügen';
export const roomsOf = (type: string) => `Zimmer, ${type}`;
export const remove = 'Entfernen';
export const create = 'Zimmer halten';
export const change = 'Ändern';
export const save = 'Änderungen speichern';
export const cancel = 'Abbrechen';
export const nothingChanged = 'Noch ist nichts geändert.';
export const blockNights = (most: number) => `Eine Gruppe hat 1 bis ${most} Nächte.`;
export const badReleaseTime =
  'Die Zimmer werden bis zu einer Zeit zwischen jetzt und der letzten Nacht gehalten.';
export const blockChanged = 'Die Gruppe wurde geändert.';
export const release = 'Rest freigeben';
export const releaseQuestion = (many: number) =>
  `${nightsOf(many)} ${many === 1 ? 'geht' : 'gehen'} zurück in den Verkauf. Buchungen bleiben.`;
export const confirmRelease = 'Ja, freigeben';
export const keep = 'Behalten';

export const guestField = { name: 'Name', email: 'E-Mail', phone: 'Telefon', guests: 'Gäste' } as const;
export const noGuest = 'Kein Name und keine Adresse: nichts wurde angegeben, oder es wurde gelöscht.';
export const addGuest = 'Gast hinzufügen';
export const correctGuest = 'Berichtigen';
export const saveGuest = 'Gast speichern';
export const guestSaved = 'Der Gast wurde gespeichert.';
export const checkGuests = 'Geben Sie die Zahl der Gäste ein.';
export const eraseGuest = 'Persönliche Daten löschen';
export const eraseQuestion = 'Name, E-Mail und Telefon werden endgültig gelöscht. Die Buchung bleibt.';
export const confirmErase = 'Ja, löschen';
export const guestErased = 'Die persönlichen Daten wurden gelöscht.';

export const balance = (amount: string) => `Gästekonto, Saldo ${amount}`;
export const paymentKind = { capture: 'Zahlung', refund: 'Erstattung', dispute: 'Anfechtung' } as const;
export const onItsWay = 'läuft';
export const charge = (kind: FolioView['charges'][number]['kind'], name: string, many: number): string => {
  switch (kind) {
    case 'night':
      return many === 1 ? 'Zimmer' : rooms(many);
    case 'cancellation':
      return 'Stornierung';
    case 'no-show':
      return 'Nichtanreise';
    case 'reduction':
      return 'Über die Bedingungen hinaus erstattet';
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
      return 'Der Beleg wurde per E-Mail gesendet.';
    case 'waiting':
      return failure === ''
        ? 'Der Beleg wird bald per E-Mail gesendet.'
        : 'Der Beleg konnte nicht per E-Mail gesendet werden. Der nächste Versuch folgt bald.';
    case 'failed': {
      const why = receiptFailure(failure);
      const what = `Der Beleg wurde nicht gesendet${why === undefined ? '' : `: ${why}`}.`;
      return `${what} Geben Sie ihn dem Gast, oder bitten Sie um eine andere Adresse.`;
    }
  }
};
