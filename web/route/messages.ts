import type { Avoidance } from '#schemas/http/nav.js';
import { text } from '../language/language.js';

/** Texts of the route planner. Instructions, warnings and rankings come from the server. */

export const route = text('Route', 'Rutt', 'Route');
export const clear = text('Clear', 'Rensa', 'Leeren');
export const swap = text('Swap start and end', 'Byt start och mål', 'Start und Ziel tauschen');
export const searching = text('Finding a route…', 'Söker en rutt…', 'Route wird gesucht…');
export const navigate = text('Navigate', 'Navigera', 'Navigation starten');
const isTouch = typeof matchMedia !== 'undefined' && matchMedia('(pointer: coarse)').matches;
/** Nobody clicks on a phone. */
const click = isTouch ? text('tap', 'tryck', 'tippen') : text('click', 'klicka', 'klicken');
export const setEnd = text(
  `Now ${click} where you want to go.`,
  `${capital(click)} nu där du vill åka.`,
  'Wählen Sie nun das Ziel auf der Karte.',
);
export const setStart = text(
  `Search, or ${click} the map to set the start.`,
  `Sök, eller ${click} på kartan för att välja start.`,
  'Suchen Sie, oder wählen Sie den Start auf der Karte.',
);
export const clickStart = text(
  `Now ${click} the map to set the start.`,
  `${capital(click)} nu på kartan för att välja start.`,
  'Wählen Sie nun den Start auf der Karte.',
);
export const noRoute = text(
  'No route connects these two places.',
  'Ingen rutt förbinder de här två platserna.',
  'Keine Route verbindet diese beiden Orte.',
);

export const retry = text('Retry', 'Försök igen', 'Erneut versuchen');

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

// The fields of the stops.
export const ends = { start: text('Start', 'Start', 'Start'), end: text('End', 'Mål', 'Ziel') } as const;
export const stop = (number: number) => text(`Stop ${number}`, `Stopp ${number}`, `Halt ${number}`);
export const addStop = text('Add a stop', 'Lägg till stopp', 'Halt hinzufügen');
export const removeStop = (name: string) => text(`Remove: ${name}`, `Ta bort: ${name}`, `Entfernen: ${name}`);
export const moveStop = (name: string) =>
  text(
    `Move ${name}: up and down arrow keys`,
    `Flytta ${name}: piltangenter upp och ner`,
    `${name} verschieben: Pfeiltasten auf und ab`,
  );
export const moveHint = text('Drag to reorder', 'Dra för att ändra ordning', 'Ziehen, um zu ordnen');
export const movedTo = (position: number, many: number) =>
  text(
    `Moved to position ${position} of ${many}.`,
    `Flyttad till plats ${position} av ${many}.`,
    `An Stelle ${position} von ${many} verschoben.`,
  );
export const placeField = (end: string) =>
  text(
    `${end}: address, place, or latitude and longitude`,
    `${end}: adress, plats, eller latitud och longitud`,
    `${end}: Adresse, Ort, oder Breite und Länge`,
  );
export const placeHint = (end: string) =>
  text(
    `${end}: search, or ${click} the map`,
    `${end}: sök, eller ${click} på kartan`,
    `${end}: suchen oder auf Karte ${click}`,
  );
export const suggestions = (end: string) =>
  text(`Suggestions for ${end}`, `Förslag för ${end}`, `Vorschläge für ${end}`);
export const noPlace = text(
  'No place found. For coordinates, enter latitude first, for example 35.9110, 14.5020.',
  'Ingen plats hittades. Skriv latitud först, till exempel 35.9110, 14.5020.',
  'Kein Ort gefunden. Bei Koordinaten zuerst die Breite, zum Beispiel 35.9110, 14.5020.',
);
export const myLocation = text('Start at my location', 'Starta där jag är', 'Start an meinem Standort');
export const noLocation = text(
  'This browser does not support location. Search for your start.',
  'Webbläsaren kan inte visa din plats. Sök efter din start.',
  'Dieser Browser kennt keinen Standort. Suchen Sie den Start.',
);
export const locationDenied = text(
  'Location access is denied. Allow it in the browser settings, or search for your start.',
  'Platsåtkomst nekad. Tillåt den i webbläsarens inställningar, eller sök efter din start.',
  'Der Standort ist gesperrt. Erlauben Sie ihn im Browser, oder suchen Sie den Start.',
);
export const locationUnknown = text(
  'Your location was not found. Search for your start.',
  'Din plats hittades inte. Sök efter din start.',
  'Ihr Standort wurde nicht gefunden. Suchen Sie den Start.',
);

// How to travel.
export const travelMode = text('Travel mode', 'Färdsätt', 'Verkehrsmittel');
export const modes = {
  driving: text('Car', 'Bil', 'Auto'),
  truck: text('Truck', 'Lastbil', 'Lkw'),
  bicycling: text('Bike', 'Cykel', 'Rad'),
  walking: text('Walk', 'Gång', 'Fuß'),
} as const;
export const tripTime = text('Time of the trip', 'Resans tid', 'Zeit der Fahrt');
export const tripTimes = {
  now: text('Leave now', 'Åk nu', 'Jetzt los'),
  depart: text('Depart at', 'Avgång', 'Abfahrt um'),
  arrive: text('Arrive by', 'Framme senast', 'Ankunft bis'),
} as const;
export const truck = text('Size of the truck', 'Lastbilens mått', 'Maße des Lkw');
export const truckHint = text(
  'Without a figure: 4 m high, 2.55 m wide, 16.5 m long, 40 t, 11.5 t on an axle.',
  'Utan uppgift: 4 m hög, 2,55 m bred, 16,5 m lång, 40 t, 11,5 t per axel.',
  'Ohne Angabe: 4 m hoch, 2,55 m breit, 16,5 m lang, 40 t, 11,5 t je Achse.',
);
export const truckFields = {
  height: text('Height, m', 'Höjd, m', 'Höhe, m'),
  width: text('Width, m', 'Bredd, m', 'Breite, m'),
  length: text('Length, m', 'Längd, m', 'Länge, m'),
  weight: text('Weight, t', 'Vikt, t', 'Gewicht, t'),
  axle_load: text('Axle load, t', 'Axeltryck, t', 'Achslast, t'),
} as const;
export const between = (least: number, most: number) =>
  text(`Between ${least} and ${most}.`, `Mellan ${least} och ${most}.`, `Zwischen ${least} und ${most}.`);
export const avoidable: Readonly<Record<Avoidance, string>> = {
  tolls: text('tolls', 'vägtullar', 'Maut'),
  motorways: text('motorways', 'motorvägar', 'Autobahnen'),
  ferries: text('ferries', 'färjor', 'Fähren'),
  unpaved: text('unpaved', 'grusvägar', 'unbefestigt'),
};
export const avoid = (chosen: readonly Avoidance[]) => {
  const word = text('Avoid', 'Undvik', 'Vermeiden');
  return chosen.length === 0 ? word : `${word}: ${chosen.map((each) => avoidable[each]).join(', ')}`;
};
export const miles = text('distances in miles', 'avstånd i engelska mil', 'Entfernungen in Meilen');

// The route that was found.
export const routes = text('Routes', 'Rutter', 'Routen');
export const remaining = (distance: string, arrival: string) =>
  text(
    `${distance} · arrive ${arrival}`,
    `${distance} · framme ${arrival}`,
    `${distance} · Ankunft ${arrival}`,
  );
export const leaveAt = (time: string) => text(`Leave at ${time}.`, `Åk ${time}.`, `Abfahrt um ${time}.`);
export const trafficAdds = (duration: string) =>
  text(`Traffic adds ${duration}.`, `Trafiken ger ${duration} extra.`, `Verkehr: ${duration} mehr.`);
export const usualTrafficAdds = (duration: string) =>
  text(
    `Usual traffic adds ${duration}.`,
    `Vanlig trafik ger ${duration} extra.`,
    `Üblicher Verkehr: ${duration} mehr.`,
  );
export const liveSpeeds = (live: number, all: number, ageS: number | null) => {
  const age =
    ageS === null
      ? ''
      : text(`, ${Math.round(ageS)} s old`, `, ${Math.round(ageS)} s gamla`, `, ${Math.round(ageS)} s alt`);
  const share = `${Math.max(1, Math.round((100 * live) / Math.max(1, all)))} %`;
  return text(
    `Live speeds on ${share} of the roads${age}`,
    `Aktuella hastigheter på ${share} av vägarna${age}`,
    `Aktuelles Tempo auf ${share} der Straßen${age}`,
  );
};
export const via = (road: string) => text(`via ${road}`, `via ${road}`, `über ${road}`);
export const more = (duration: string) => `+${duration}`;
export const less = (duration: string) => `−${duration}`;
export const sameTime = text('same time', 'samma tid', 'gleich schnell');
export const steps = (many: number) =>
  text(
    `${many} ${many === 1 ? 'step' : 'steps'}`,
    `${many} steg`,
    `${many} ${many === 1 ? 'Schritt' : 'Schritte'}`,
  );
export const print = text('Print', 'Skriv ut', 'Drucken');

// The menu of a place on the map.
export const placeMenu = text('This place', 'Den här platsen', 'Dieser Ort');
export const fromHere = text('Route from here', 'Rutt härifrån', 'Route von hier');
export const toHere = text('Route to here', 'Rutt hit', 'Route hierher');
export const stopHere = text('Add as a stop', 'Lägg till som stopp', 'Als Halt hinzufügen');
export const reachHere = text('What is within reach?', 'Vad nås härifrån?', 'Was ist erreichbar?');
