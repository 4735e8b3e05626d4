/** German texts of the room plan. */

export const how =
  'Ziehen Sie einen Aufenthalt, oder wählen Sie ihn aus und benutzen Sie die Pfeiltasten: auf und ab für ' +
  'das Zimmer, links und rechts für die Nächte. Enter legt ihn ab, Escape bringt ihn zurück. Auf einem ' +
  'Touchscreen halten Sie ihn zuerst gedrückt.';
export const room = 'Zimmer';
export const withoutRoom = 'Ohne Zimmer';
export const noneWithoutRoom = 'Jeder Aufenthalt hat ein Zimmer.';
export const typeSummary = (rooms: number, waiting: number) =>
  `${rooms} Zimmer${waiting === 0 ? '' : ` · ${waiting} ohne Zimmer`}`;
export const firstOf = (shown: number, all: number) => `Die ersten ${shown} von ${all} sind zu sehen.`;
export const noRooms = 'Keine Zimmer dieses Typs.';
export const bar = (name: string, dates: string, place: string, status: string) =>
  `${name}, ${dates}, ${place}, ${status}`;
export const inRoom = (number: string) => `Zimmer ${number}`;
export const outOfOrder = 'Gesperrt';
export const today = 'heute';
export const legend = {
  paid: 'Bezahlt',
  here: 'Angereist',
  over: 'Beendet',
  returned: 'Zahlung zurückgeholt',
  closed: 'Gesperrt',
} as const;

export const pickedUp = (name: string) => `${name} ist aufgenommen.`;
export const toRoom = (number: string, dates: string) => `Zimmer ${number}, ${dates}.`;
export const toType = (type: string, dates: string) => `${type}, ${dates}.`;
export const toLane = (dates: string) => `Ohne Zimmer, ${dates}.`;
export const free = 'Hier lässt sich der Aufenthalt ablegen.';
export const asBefore = 'Wo er war.';
export const earlier = '← Eine Nacht früher';
export const later = 'Eine Nacht später →';
export const dropHere = 'Hier ablegen';
export const putBack = 'Zurücklegen';
export const openReservation = 'Buchung öffnen';
export const wasPutBack = (name: string) => `${name} ist wieder, wo der Aufenthalt war.`;

export const refused = {
  checkedIn: 'Der Gast ist angereist. Zimmer und Nächte bleiben, wie sie sind.',
  paymentReturned: 'Die Zahlung wurde zurückgeholt. Ein solcher Aufenthalt wird nicht verlegt.',
  over: 'Dieser Aufenthalt ist vorbei.',
  begun: 'Dieser Aufenthalt hat begonnen. Seine Nächte und sein Zimmertyp bleiben.',
  past: 'Ein Aufenthalt lässt sich nicht in die Vergangenheit verlegen.',
  keepsRoom: 'Dieser Aufenthalt hat ein Zimmer. Legen Sie ihn auf ein anderes.',
  hasRoom: 'Dieser Aufenthalt hat das Zimmer schon.',
} as const;
export const closed = (number: string) => `Zimmer ${number} ist in diesen Nächten gesperrt.`;
export const taken = (number: string, name: string, dates: string) =>
  `Zimmer ${number} ist belegt: ${name}, ${dates}.`;
export const tooFew = (free: number, needed: number) =>
  `Der Aufenthalt braucht ${needed} Zimmer, und auf dieser Seite ` +
  `${free === 1 ? 'ist' : 'sind'} nur ${free} frei.`;

export const costsMore = (price: string, difference: string) =>
  `Neuer Preis ${price}. Der Gast zahlt ${difference} mehr; danach wird geändert.`;
export const costsLess = (price: string, refund: string) =>
  `Neuer Preis ${price}. ${refund} gehen an den Gast zurück.`;
export const costsSame = (price: string) => `Der Preis ist ${price}.`;
export const confirm = 'Aufenthalt ändern';

export const assigned = (name: string, numbers: string) => `${name} hat jetzt Zimmer ${numbers}.`;
export const changed = (name: string) => `Der Aufenthalt von ${name} wurde geändert.`;
export const changedWithoutRoom = (name: string) =>
  `Der Aufenthalt von ${name} wurde geändert. Er hat noch kein Zimmer.`;
export const roomLost = (name: string, why: string) =>
  `Der Aufenthalt von ${name} wurde geändert, hat aber jetzt kein Zimmer. ${why}`;
export const overtaken = (why: string) =>
  `${why} Der Plan wurde neu geladen, mit dem, was andere inzwischen geändert haben.`;
