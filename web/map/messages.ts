import { text } from '../language/language.js';

/** Texts of the map. */

export const map = text('Map', 'Karta', 'Karte');
export const mapLabel = (city: string) =>
  text(
    `Map of ${city}. Use the arrow keys to move, plus or minus to zoom, ` +
      'and Enter to set a place at the centre.',
    `Karta över ${city}. Piltangenterna flyttar, plus och minus zoomar, Enter väljer platsen i mitten.`,
    `Karte von ${city}. Pfeiltasten bewegen, Plus und Minus zoomen, Enter wählt den Ort in der Mitte.`,
  );
export const tileFailed = (reason: string) =>
  text(
    `Part of the map failed to load: ${reason}`,
    `En del av kartan kunde inte hämtas: ${reason}`,
    `Ein Teil der Karte wurde nicht geladen: ${reason}`,
  );
export const tileStatus = (status: number) =>
  text(
    `The server returned status ${status} for a map tile.`,
    `Servern svarade ${status} för en kartruta.`,
    `Der Server antwortete ${status} für eine Kachel.`,
  );
export const mapFailed = (reason: string) =>
  text(
    `The map failed to load: ${reason}`,
    `Kartan kunde inte hämtas: ${reason}`,
    `Die Karte wurde nicht geladen: ${reason}`,
  );
export const noWebGl = text(
  'This browser does not support WebGL, so the map is a picture: no traffic, no drivers, no turning.',
  'Webbläsaren saknar WebGL, så kartan är en bild: ingen trafik, inga förare, ingen vridning.',
  'Dieser Browser hat kein WebGL, deshalb ist die Karte ein Bild: ohne Verkehr, Fahrer und Drehung.',
);
export const zoomIn = text('Zoom in', 'Zooma in', 'Vergrößern');
export const zoomOut = text('Zoom out', 'Zooma ut', 'Verkleinern');
export const northUp = text('North up', 'Norr uppåt', 'Norden oben');

// Roads under the pointer.
export const noRoadHere = text(
  'No road found here. Click closer to a road, or zoom in.',
  'Ingen väg här. Klicka närmare en väg, eller zooma in.',
  'Keine Straße hier. Klicken Sie näher an eine Straße, oder zoomen Sie.',
);
export const closed = text('Closed', 'Stängd', 'Gesperrt');
export const speed = (kph: number, freeFlowKph: number) =>
  text(`${kph} of ${freeFlowKph} km/h`, `${kph} av ${freeFlowKph} km/h`, `${kph} von ${freeFlowKph} km/h`);

// Markers.
export const you = text('You', 'Du', 'Sie');
export const start = 'Start';
export const end = text('End', 'Mål', 'Ziel');
