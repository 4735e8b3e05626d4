/** Longitude, latitude: the order of GeoJSON. */
export type LngLat = readonly [number, number];

const earthRadiusM = 6_371_008.8;
const radians = Math.PI / 180;

/** Metres on the ground, flat-earth: exact to a millimetre per kilometre within a city. */
export function metresBetween(a: LngLat, b: LngLat): number {
  const x = (b[0] - a[0]) * radians * Math.cos(((a[1] + b[1]) / 2) * radians);
  const y = (b[1] - a[1]) * radians;
  return Math.hypot(x, y) * earthRadiusM;
}

/** Degrees clockwise from north. */
export function headingDeg(a: LngLat, b: LngLat): number {
  const x = (b[0] - a[0]) * Math.cos(((a[1] + b[1]) / 2) * radians);
  return (Math.atan2(x, b[1] - a[1]) / radians + 360) % 360;
}

export function between(a: LngLat, b: LngLat, share: number): LngLat {
  return [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share];
}

/** A line with the metres from its start to each of its points. */
export interface MeasuredLine {
  readonly points: readonly LngLat[];
  readonly metres: readonly number[];
  readonly lengthM: number;
}

export function measure(points: readonly LngLat[]): MeasuredLine {
  const metres: number[] = [];
  let sum = 0;
  points.forEach((point, i) => {
    if (i > 0) sum += metresBetween(points[i - 1] as LngLat, point);
    metres.push(sum);
  });
  return { points, metres, lengthM: sum };
}

export interface PlaceOnLine {
  readonly at: LngLat;
  readonly headingDeg: number;
  /** Index of the segment's first point. */
  readonly segment: number;
}

/** The place this many metres along the line; before the start or past the end it is the start or the end. */
export function placeAlong(line: MeasuredLine, metres: number): PlaceOnLine {
  const last = line.points.length - 1;
  let segment = 0;
  while (segment < last - 1 && (line.metres[segment + 1] as number) < metres) segment++;
  const a = line.points[segment] as LngLat;
  const b = line.points[Math.min(segment + 1, last)] as LngLat;
  const from = line.metres[segment] as number;
  const length = (line.metres[Math.min(segment + 1, last)] as number) - from;
  const share = length > 0 ? Math.min(1, Math.max(0, (metres - from) / length)) : 0;
  return { at: between(a, b, share), headingDeg: headingDeg(a, b), segment };
}

/** Metres along the line of the point nearest to `place`. */
export function nearestAlong(line: MeasuredLine, place: LngLat): number {
  let best = 0;
  let bestM = Number.POSITIVE_INFINITY;
  const squeeze = Math.cos(place[1] * radians);
  for (let i = 0; i + 1 < line.points.length; i++) {
    const a = line.points[i] as LngLat;
    const b = line.points[i + 1] as LngLat;
    const dx = (b[0] - a[0]) * squeeze;
    const dy = b[1] - a[1];
    const square = dx * dx + dy * dy;
    const along = (place[0] - a[0]) * squeeze * dx + (place[1] - a[1]) * dy;
    const share = square > 0 ? Math.min(1, Math.max(0, along / square)) : 0;
    const distance = metresBetween(between(a, b, share), place);
    if (distance < bestM) {
      bestM = distance;
      best =
        (line.metres[i] as number) + share * ((line.metres[i + 1] as number) - (line.metres[i] as number));
    }
  }
  return best;
}

/** The part of the line that is still ahead after this many metres. */
export function ahead(line: MeasuredLine, metres: number): LngLat[] {
  const place = placeAlong(line, metres);
  return [place.at, ...line.points.slice(place.segment + 1)];
}
