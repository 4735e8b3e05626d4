/** Encoded polyline of interleaved [lng, lat, …]; precision 5 (Google) or 6 (OSRM's polyline6). */
export function encodePolyline(lngLat: ArrayLike<number>, precision: 5 | 6 = 5): string {
  throw new Error('in the making');
}
