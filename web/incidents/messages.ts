import type { Incident } from '#schemas/http/incidents.js';
import { text } from '../language/language.js';

/** Texts about closed and slow roads. */

const unnamed = text('Unnamed road', 'Väg utan namn', 'Straße ohne Namen');
/** Many roads have no name; a sentence about one still needs a subject. */
export const roadName = (name: string) => (name === '' ? unnamed : name);

// The list.
export const incidents = text('Incidents', 'Händelser', 'Störungen');
export const closeRoad = text('Close a road', 'Stäng en väg', 'Straße sperren');
export const clickRoad = text('Click a road…', 'Klicka på en väg…', 'Straße wählen…');
export const noIncidents = text('All roads are open.', 'Alla vägar är öppna.', 'Alle Straßen sind offen.');
export const slow = (road: string) => text(`${road}, slow`, `${road}, långsam`, `${road}, langsam`);
export const slowSpeed = (road: string, kph: number) => `${road}, ${kph} km/h`;
export const timeLeft = (duration: string) =>
  text(`${duration} left`, `${duration} kvar`, `noch ${duration}`);
export const sources: Readonly<Record<Incident['source'], string>> = {
  operator: text('operator', 'operatör', 'Leitstelle'),
  detected: text('detected', 'upptäckt', 'erkannt'),
};
export const places = (many: number) => text(`${many} places`, `${many} platser`, `${many} Stellen`);
export const showAll = (many: number) =>
  text(`Show all ${many} streets`, `Visa alla ${many} gator`, `Alle ${many} Straßen zeigen`);
export const showFewer = text('Show fewer', 'Visa färre', 'Weniger zeigen');
export const showOnMap = text('Show on the map', 'Visa på kartan', 'Auf der Karte zeigen');
export const reopen = text('Reopen', 'Öppna', 'Öffnen');
export const reopenRoad = (road: string) => text(`Reopen ${road}`, `Öppna ${road}`, `${road} öffnen`);
export const legend = text('Map colours', 'Kartans färger', 'Farben der Karte');
export const flowing = text('free flow', 'fritt flöde', 'frei');
export const slower = text('slow', 'trögt', 'zäh');
export const jammed = text('congested', 'stopp', 'Stau');
export const closed = text('closed', 'stängd', 'gesperrt');
export const navigating = text('navigating', 'navigerar', 'navigiert');

// Closing a road.
const thisRoad = text('this road', 'den här vägen', 'diese Straße');
export const confirmClose = (road: string) => {
  const named = road === '' ? thisRoad : road;
  return text(`Close ${named}?`, `Stänga ${named}?`, `${named} sperren?`);
};
export const reason = text('Reason', 'Orsak', 'Grund');
export const reasonExample = text('Burst water main', 'Vattenläcka', 'Wasserrohrbruch');
export const duration = text('Duration', 'Varaktighet', 'Dauer');
export const durations = [
  { label: text('10 minutes', '10 minuter', '10 Minuten'), seconds: 600 },
  { label: text('30 minutes', '30 minuter', '30 Minuten'), seconds: 1_800 },
  { label: text('2 hours', '2 timmar', '2 Stunden'), seconds: 7_200 },
  { label: text('1 day', '1 dygn', '1 Tag'), seconds: 86_400 },
] as const;
export const bothDirections = text('Both directions', 'Båda riktningarna', 'Beide Richtungen');
export const forAll = text(
  'Also for walking and bicycling',
  'Även för gående och cyklister',
  'Auch für Fuß und Rad',
);
export const closing = text('Closing…', 'Stänger…', 'Wird gesperrt…');
export const closeThisRoad = text('Close this road', 'Stäng den här vägen', 'Diese Straße sperren');
export const cancel = text('Cancel', 'Avbryt', 'Abbrechen');
export const isClosed = (road: string) =>
  text(`${road} is closed.`, `${road} är stängd.`, `${road} ist gesperrt.`);
export const isOpenAgain = (road: string) =>
  text(`${road} is open again.`, `${road} är öppen igen.`, `${road} ist wieder offen.`);
export const wasOpen = (road: string) =>
  text(`${road} was already open.`, `${road} var redan öppen.`, `${road} war schon offen.`);
