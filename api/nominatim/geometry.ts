import type { AddressedPlace, Polygon } from '../ports/place-finder.js';

export const geometryFormats = ['geojson', 'kml', 'svg', 'text'] as const;
export type GeometryFormat = (typeof geometryFormats)[number];

type Points = Polygon[number];

/** The border of an area; of everything else the point. */
export interface Geometry {
  readonly point: readonly [number, number];
  readonly polygons: readonly Polygon[];
}

export const geometryOf = ({ location, border }: AddressedPlace): Geometry => ({
  point: [location.lng, location.lat],
  polygons: border?.polygons() ?? [],
});

export function geoJsonOf({ point, polygons }: Geometry): object {
  const [first, ...more] = polygons;
  if (first === undefined) return { type: 'Point', coordinates: point };
  return more.length === 0
    ? { type: 'Polygon', coordinates: first }
    : { type: 'MultiPolygon', coordinates: polygons };
}

/** Well-known text. */
export function textOf({ point, polygons }: Geometry): string {
  const [first, ...more] = polygons;
  if (first === undefined) return `POINT(${point.join(' ')})`;
  const ring = (points: Points): string => `(${points.map((each) => each.join(' ')).join(',')})`;
  const polygon = (rings: Polygon): string => `(${rings.map(ring).join(',')})`;
  return more.length === 0 ? `POLYGON${polygon(first)}` : `MULTIPOLYGON(${polygons.map(polygon).join(',')})`;
}

/** The path data of SVG, where y grows to the south; a point is the centre of a circle. */
export function svgOf({ point: [x, y], polygons }: Geometry): string {
  if (polygons.length === 0) return `cx="${x}" cy="${-y}"`;
  const place = ([lng, lat]: Points[number]): string => `${lng} ${-lat}`;
  const ring = ([first, ...more]: Points): string =>
    `M ${place(first!)} L ${more.slice(0, -1).map(place).join(' ')} Z`;
  return polygons.flatMap((rings) => rings.map(ring)).join(' ');
}

export function kmlOf({ point, polygons }: Geometry): string {
  const coordinates = (points: Points): string =>
    `<coordinates>${points.map((each) => each.join(',')).join(' ')}</coordinates>`;
  if (polygons.length === 0) return `<Point>${coordinates([point])}</Point>`;
  const boundary = (name: string, points: Points): string =>
    `<${name}><LinearRing>${coordinates(points)}</LinearRing></${name}>`;
  const written = polygons.map(
    ([outer, ...holes]) =>
      `<Polygon>${boundary('outerBoundaryIs', outer!)}` +
      `${holes.map((hole) => boundary('innerBoundaryIs', hole)).join('')}</Polygon>`,
  );
  return written.length === 1 ? written[0]! : `<MultiGeometry>${written.join('')}</MultiGeometry>`;
}
