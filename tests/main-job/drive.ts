import polyline from '@mapbox/polyline';
import type { LatLng } from '#schemas/units.js';

const earthRadiusM = 6_371_008.8;
const radians = Math.PI / 180;

export function metresBetween(a: LatLng, b: LatLng): number {
  const half = (degrees: number): number => Math.sin((degrees * radians) / 2) ** 2;
  const h = half(b.lat - a.lat) + Math.cos(a.lat * radians) * Math.cos(b.lat * radians) * half(b.lng - a.lng);
  return 2 * earthRadiusM * Math.asin(Math.sqrt(h));
}

export function decodeLine(points: string): LatLng[] {
  return polyline.decode(points).map(([lat, lng]) => ({ lat, lng }));
}

/** Positions along a line every `stepM` metres, from `fromM` to `toM`; backwards when `toM` is less. */
export function placesAlong(line: readonly LatLng[], fromM: number, toM: number, stepM: number): LatLng[] {
  const places: LatLng[] = [];
  const steps = Math.floor(Math.abs(toM - fromM) / stepM);
  for (let i = 0; i <= steps; i++) places.push(placeAt(line, fromM + Math.sign(toM - fromM) * i * stepM));
  return places;
}

export function lengthM(line: readonly LatLng[]): number {
  let total = 0;
  for (let i = 1; i < line.length; i++) total += metresBetween(line[i - 1]!, line[i]!);
  return total;
}

/** The position at this distance in metres, `degrees` clockwise from north. */
export function placeFrom({ lat, lng }: LatLng, degrees: number, metres: number): LatLng {
  const perDegreeM = earthRadiusM * radians;
  const north = (metres * Math.cos(degrees * radians)) / perDegreeM;
  const east = (metres * Math.sin(degrees * radians)) / (perDegreeM * Math.cos(lat * radians));
  return { lat: lat + north, lng: lng + east };
}

function placeAt(line: readonly LatLng[], distanceM: number): LatLng {
  let left = distanceM;
  for (let i = 1; i < line.length; i++) {
    const [a, b] = [line[i - 1]!, line[i]!];
    const length = metresBetween(a, b);
    if (left <= length && length > 0) {
      return {
        lat: a.lat + ((b.lat - a.lat) * left) / length,
        lng: a.lng + ((b.lng - a.lng) * left) / length,
      };
    }
    left -= length;
  }
  return line.at(-1)!;
}
