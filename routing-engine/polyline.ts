import polyline from '@mapbox/polyline';

/** Encoded polyline of interleaved [lng, lat, …]; precision 5 (Google) or 6 (OSRM's polyline6). */
export function encodePolyline(lngLat: ArrayLike<number>, precision: 5 | 6 = 5): string {
  const points: [number, number][] = [];
  for (let i = 0; i + 1 < lngLat.length; i += 2) points.push([lngLat[i + 1], lngLat[i]]);
  return polyline.encode(points, precision);
}
