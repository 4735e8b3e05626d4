import type { ListedClosure, OperationsAnswer, OutlineAnswer } from '#schemas/http/operations.js';
import { latAt, lngAt, worldX, worldY } from '../geometry/mercator.js';
import { useLoaded } from '../hotel/use-loaded.js';
import { ask } from '../http/ask.js';
import { operator } from '../sign-in/askers.js';
import { withToken } from '../sign-in/session.js';
import { count, place } from './figures.js';
import { drawnArea, levelOf, levels, pathOf } from './load-drawing.js';
import { messages } from './messages.js';
import { outlinePath } from './paths.js';
import { mapAt, type ViewProps } from './seen.js';

const listed = 8;

/** Where drivers are now, on the main roads of the map, with closures. */
export function LoadPage({ seen }: ViewProps) {
  const { load } = seen;
  return (
    <section>
      <h2>{messages.loadTitle}</h2>
      <p class="muted">{messages.loadHint}</p>
      <p class="ops-count">
        {messages.drivers(load.drivers, count(load.drivers))}
        {load.elsewhere > 0 && ` · ${messages.elsewhere(count(load.elsewhere))}`}
        {` · ${messages.navigating(load.navigations, count(load.navigations))}, `}
        {messages.connected(count(load.navigations_connected))}
      </p>
      <div class="ops-load">
        <Drawing seen={seen} />
        <Busiest seen={seen} />
      </div>
    </section>
  );
}

function Drawing({ seen }: ViewProps) {
  const { map, load, closures } = seen;
  const [outline] = useLoaded(map.tileset_id, () =>
    withToken(operator, (token) => ask<OutlineAnswer>(outlinePath, { token })),
  );
  const area = drawnArea(load.bounds, load.zoom);
  const most = Math.max(0, ...load.squares.map(({ drivers }) => drivers));
  const side = area.scale / 2 ** load.zoom;
  const markers = closures.shown.flatMap((each) => (each.at === null ? [] : [{ ...each, at: each.at }]));
  return (
    <div class="card ops-drawing">
      <svg
        viewBox={`0 0 ${area.width} ${area.height}`}
        role="img"
        aria-label={messages.mapOf(
          map.name,
          messages.drivers(load.drivers, count(load.drivers)),
          count(load.squares.length),
        )}
      >
        {outline.kind === 'there' && outline.value !== null && (
          <path class="ops-roads" d={pathOf(outline.value.lines, area)} />
        )}
        {load.squares.map(({ x, y, drivers }) => (
          <rect
            key={`${x} ${y}`}
            class={`ops-square ops-level-${levelOf(drivers, most)}`}
            x={x * side - area.left}
            y={y * side - area.top}
            width={side}
            height={side}
          />
        ))}
        {markers.map(({ incident_id: id, at, source }) => (
          <circle
            key={id}
            class={`ops-marker ops-marker-${source}`}
            cx={worldX(at.lng) * area.scale - area.left}
            cy={worldY(at.lat) * area.scale - area.top}
            r={area.width / 100}
          />
        ))}
      </svg>
      {outline.kind === 'failed' && <p class="muted">{messages.outlineFailed}</p>}
      <Legend most={most} closures={sourcesOf(markers)} />
      <p class="muted ops-source">{messages.mapSource}</p>
    </div>
  );
}

type Source = ListedClosure['source'];
const sourcesOf = (closures: readonly ListedClosure[]): readonly Source[] =>
  (['detected', 'operator'] as const).filter((source) => closures.some((each) => each.source === source));

function Legend({ most, closures }: { readonly most: number; readonly closures: readonly Source[] }) {
  return (
    <>
      {most === 0 && <p>{messages.noDrivers}</p>}
      <ul class="ops-legend" aria-label={messages.legend}>
        {levels(most).map(({ level, from, to }) => (
          <li key={level}>
            <span class={`ops-swatch ops-level-${level}`} aria-hidden="true" />
            {messages.upTo(count(from), messages.drivers(to, count(to)))}
          </li>
        ))}
        {closures.map((source) => (
          <li key={source}>
            <span class={`ops-swatch ops-swatch-${source}`} aria-hidden="true" />
            {messages.roadClosed[source]}
          </li>
        ))}
      </ul>
    </>
  );
}

/** The same as text. */
function Busiest({ seen }: { readonly seen: OperationsAnswer }) {
  const { zoom, squares } = seen.load;
  const first = squares.toSorted((a, b) => b.drivers - a.drivers || a.y - b.y || a.x - b.x).slice(0, listed);
  if (first.length === 0) return null;
  return (
    <section class="card">
      <h3>{messages.busiest}</h3>
      <ol class="ops-busiest">
        {first.map(({ x, y, drivers }) => {
          const [lat, lng] = [latAt((y + 0.5) / 2 ** zoom), lngAt((x + 0.5) / 2 ** zoom)];
          const where = place(lat, lng);
          return (
            <li key={where}>
              <span>{messages.drivers(drivers, count(drivers))}</span>
              <a
                href={mapAt(seen, lat, lng, Math.min(17, zoom + 1))}
                aria-label={messages.showRoadOnMap(where)}
              >
                {where}
              </a>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
