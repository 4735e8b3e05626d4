import { text } from '../language/language.js';

/** Texts of the map. */

export const map = text('Map', 'Karta', 'Karte');
export const mapLabel = (city: string) =>
  `Map of ${city}. Use the arrow keys to move, plus or minus to zoom, ` +
  'and Enter to set a place at the centre.';
export const tileFailed = (reason: string) => `Part of the map failed to load: ${reason}`;
export const tileStatus = (status: number) => `The server returned status ${status} for a map tile.`;
export const mapFailed = (reason: string) => `The map failed to load: ${reason}`;
export const noWebGl =
  'This browser does not support WebGL, so the map stays empty. Routes, closures and figures still work.';
export const zoomIn = text('Zoom in', 'Zooma in', 'Vergrößern');
export const zoomOut = text('Zoom out', 'Zooma ut', 'Verkleinern');
export const northUp = text('North up', 'Norr uppåt', 'Norden oben');

// Roads under the pointer.
export const noRoadHere = 'No road found here. Click closer to a road, or zoom in.';
export const closed = text('Closed', 'Stängd', 'Gesperrt');
export const speed = (kph: number, freeFlowKph: number) => `${kph} of ${freeFlowKph} km/h`;

// Markers.
export const you = text('You', 'Du', 'Sie');
export const start = 'Start';
export const end = text('End', 'Mål', 'Ziel');
