/** Swedish texts of the room plan. */

export const how =
  'Dra en vistelse, eller välj den och använd piltangenterna: upp och ned för rummet, vänster och höger ' +
  'för nätterna. Enter släpper den, Escape lägger tillbaka den. På en pekskärm håller du ned den först.';
export const room = 'Rum';
export const withoutRoom = 'Utan rum';
export const noneWithoutRoom = 'Alla vistelser har rum.';
export const typeSummary = (rooms: number, waiting: number) =>
  `${rooms} rum${waiting === 0 ? '' : ` · ${waiting} utan rum`}`;
export const firstOf = (shown: number, all: number) => `De första ${shown} av ${all} visas.`;
export const noRooms = 'Inga rum av den här typen.';
export const bar = (name: string, dates: string, place: string, status: string) =>
  `${name}, ${dates}, ${place}, ${status}`;
export const inRoom = (number: string) => `rum ${number}`;
export const outOfOrder = 'Ur bruk';
export const today = 'i dag';
export const legend = {
  paid: 'Betald',
  here: 'Incheckad',
  over: 'Avslutad',
  returned: 'Betalningen återtagen',
  closed: 'Ur bruk',
} as const;

export const pickedUp = (name: string) => `${name} är upplyft.`;
export const toRoom = (number: string, dates: string) => `Rum ${number}, ${dates}.`;
export const toType = (type: string, dates: string) => `${type}, ${dates}.`;
export const toLane = (dates: string) => `Utan rum, ${dates}.`;
export const free = 'Den kan släppas här.';
export const asBefore = 'Där den var.';
export const earlier = '← En natt tidigare';
export const later = 'En natt senare →';
export const dropHere = 'Släpp här';
export const putBack = 'Lägg tillbaka';
export const openReservation = 'Öppna bokningen';
export const wasPutBack = (name: string) => `${name} är tillbaka där den var.`;

export const refused = {
  checkedIn: 'Gästen har checkat in. Rummet och nätterna förblir som de är.',
  paymentReturned: 'Betalningen har återtagits. En sådan vistelse flyttas inte.',
  over: 'Vistelsen är över.',
  begun: 'Vistelsen har börjat. Nätterna och rumstypen förblir som de är.',
  past: 'En vistelse kan inte flyttas till det förflutna.',
  keepsRoom: 'Vistelsen har ett rum. Släpp den på ett annat.',
  hasRoom: 'Vistelsen har redan det rummet.',
} as const;
export const closed = (number: string) => `Rum ${number} är ur bruk de nätterna.`;
export const taken = (number: string, name: string, dates: string) =>
  `Rum ${number} är upptaget: ${name}, ${dates}.`;
export const tooFew = (free: number, needed: number) =>
  `Vistelsen behöver ${needed} rum, och bara ${free} på den här sidan är lediga.`;

export const costsMore = (price: string, difference: string) =>
  `Nytt pris ${price}. Gästen betalar ${difference} till; ändringen görs därefter.`;
export const costsLess = (price: string, refund: string) =>
  `Nytt pris ${price}. ${refund} går tillbaka till gästen.`;
export const costsSame = (price: string) => `Priset är ${price}.`;
export const confirm = 'Ändra vistelsen';

export const assigned = (name: string, numbers: string) => `${name} har rum ${numbers} nu.`;
export const changed = (name: string) => `Vistelsen för ${name} har ändrats.`;
export const changedWithoutRoom = (name: string) =>
  `Vistelsen för ${name} har ändrats. Den har inget rum ännu.`;
export const roomLost = (name: string, why: string) =>
  `Vistelsen för ${name} har ändrats, men den har inget rum nu. ${why}`;
export const overtaken = (why: string) =>
  `${why} Planen har lästs in igen, med det som andra har ändrat under tiden.`;
