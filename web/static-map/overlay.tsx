import type { LngLat } from '../geometry/line.js';
import { currentPalette } from '../map/theme.js';
import type { NamedPlace } from '../state/state.js';
import { usePart } from '../state/use-part.js';
import { type Pixel, pixelOf } from './picture.js';

interface Props {
  /** Of the picture, in pixels of the world. */
  readonly corner: Pixel;
  readonly zoom: number;
  readonly width: number;
  readonly height: number;
  readonly lines: { readonly chosen: readonly LngLat[]; readonly others: readonly LngLat[][] };
}

/** Closures, alternatives, the route and its ends, above the tiles. */
export function Overlay({ corner, zoom, width, height, lines }: Props) {
  const incidents = usePart((state) => state.incidents);
  const start = usePart((state) => state.start);
  const end = usePart((state) => state.end);
  const { route, routeCasing, alternative, closed } = currentPalette();
  const place = (point: LngLat): Pixel => {
    const { x, y } = pixelOf(point, zoom);
    return { x: x - corner.x, y: y - corner.y };
  };
  const line = (points: readonly LngLat[], colour: string, thick: number) => (
    <polyline
      points={points.map((point) => Object.values(place(point)).map(Math.round).join(',')).join(' ')}
      stroke={colour}
      stroke-width={thick}
    />
  );
  const dot = (at: NamedPlace | null, kind: 'start' | 'end') => {
    if (at === null) return null;
    const { x, y } = place([at.lng, at.lat]);
    return <circle class={`static-${kind}`} cx={x} cy={y} r={9} />;
  };
  return (
    <svg width={width} height={height} aria-hidden="true">
      {incidents.flatMap(({ geometry }) =>
        geometry.coordinates.map((points) =>
          line(
            points.map(([lng = 0, lat = 0]): LngLat => [lng, lat]),
            closed,
            5,
          ),
        ),
      )}
      {lines.others.map((points) => line(points, alternative, 5))}
      {line(lines.chosen, routeCasing, 8)}
      {line(lines.chosen, route, 5)}
      {dot(start, 'start')}
      {dot(end, 'end')}
    </svg>
  );
}
