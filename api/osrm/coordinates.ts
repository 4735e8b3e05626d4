import polyline from '@mapbox/polyline';
import type { LatLng } from '#schemas/units.js';
import { messages } from './messages.js';
import { readDecimal } from './option.js';

const encoded = /^polyline(6?)\(([?-~]+)\)$/;

/** Longitude and latitude of each place, or a sentence; the range of the values is not checked here. */
export function readCoordinates(text: string): LatLng[] | string {
  const line = encoded.exec(text);
  if (line !== null) {
    const decoded = polyline.decode(line[2]!, line[1] === '6' ? 6 : 5);
    return decoded.map(([lat, lng]) => ({ lat, lng }));
  }
  const found: LatLng[] = [];
  for (const pair of text.split(';')) {
    const [lng, lat, ...more] = pair.split(',').map(readDecimal);
    if (lng === undefined || lat === undefined || more.length > 0)
      return messages.badCoordinate(pair.slice(0, 40));
    found.push({ lng, lat });
  }
  return found;
}
