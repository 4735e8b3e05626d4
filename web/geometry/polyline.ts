import type { LngLat } from './line.js';

const pointsMax = 100_000;

/**
 * Decodes Google's encoded polyline of precision 5 into longitude, latitude pairs. A truncated text gives the
 * complete points. Source: "Encoded Polyline Algorithm Format", Google Maps Platform.
 */
export function decodePolyline(text: string): LngLat[] {
  const points: LngLat[] = [];
  let lat = 0;
  let lng = 0;
  let at = 0;

  const readDelta = (): number | null => {
    let value = 0;
    for (let shift = 0; shift < 32; shift += 5) {
      if (at >= text.length) return null;
      const chunk = text.charCodeAt(at++) - 63;
      value |= (chunk & 31) << shift;
      if (chunk < 32) return value & 1 ? ~(value >> 1) : value >> 1;
    }
    return null;
  };

  while (at < text.length && points.length < pointsMax) {
    const deltaLat = readDelta();
    const deltaLng = readDelta();
    if (deltaLat === null || deltaLng === null) break;
    lat += deltaLat;
    lng += deltaLng;
    points.push([lng / 1e5, lat / 1e5]);
  }
  return points;
}
