import { vehicleOf } from '#api/vehicle/vehicle-of.js';
import { MemoryBoundTooSmall } from '#map-data/lazy/lazy-tileset.js';
import { openLazyTileset } from '#map-data/lazy/open-lazy-tileset.js';
import { TilesetNotFound } from '#map-data/open-tileset.js';
import { type Avoidable, avoidMask } from '#routing-engine/network/edge-flags.js';
import type { TravelMode } from '#routing-engine/network/travel-mode.js';
import { freeFlowMetric } from '#routing-engine/overlay/metric.js';
import { answerRouteTask, type RouteTaskOutcome } from '#routing-engine/tasks/route-task.js';
import type { LatLng } from '#schemas/units.js';
import { openObjects } from '../adapters.js';
import { CommandFailed, exitCode } from '../exit.js';
import { readSettings } from '../read-settings.js';

const SNAP_METERS_MAX = 1_000;

export interface RouteOptions {
  readonly mode: TravelMode;
  readonly language: string;
  readonly avoid: readonly Avoidable[];
  /** MiB that the roads of loaded cells may take. */
  readonly memory: number;
  readonly json?: boolean;
  /** Metres and tonnes of a truck. */
  readonly height?: number;
  readonly width?: number;
  readonly length?: number;
  readonly weight?: number;
  readonly axleLoad?: number;
  readonly hazmat?: boolean;
}

/**
 * Searches on the current tileset at free flow, and prints length, time and steps. Loads only the cells that
 * it needs.
 */
export async function printRoute(
  from: string,
  to: string,
  { mode, language, avoid, memory, json, axleLoad, ...sizes }: RouteOptions,
): Promise<void> {
  const [origin, destination] = [place(from), place(to)];
  const { vehicle, wrong } = vehicleOf(mode, {
    ...sizes,
    ...(axleLoad === undefined ? {} : { axle_load: axleLoad }),
  });
  if (wrong !== undefined) throw new CommandFailed(wrong.message, exitCode.usage);
  const objects = await openObjects(readSettings());
  try {
    const tileset = await openLazyTileset(objects, { bytesMax: memory * 2 ** 20 });
    const outcome = await tileset.ask((network) =>
      answerRouteTask(network, {
        metric: { ...freeFlowMetric(network, mode), ...(vehicle === undefined ? {} : { vehicle }) },
        from: { point: origin },
        to: { point: destination },
        avoid: avoidMask(avoid, mode),
        alternatives: 0,
        language,
        snapMaxMeters: SNAP_METERS_MAX,
      }),
    );
    print(outcome, mode, tileset.network.tilesetId, json === true);
  } catch (error) {
    if (error instanceof TilesetNotFound)
      throw new CommandFailed(`${error.message}; run npx meridian tiles build`, exitCode.notFound);
    if (error instanceof MemoryBoundTooSmall)
      throw new CommandFailed(`${error.message}; allow more with --memory`, exitCode.failed);
    throw error;
  } finally {
    await objects.close();
  }
}

function print(outcome: RouteTaskOutcome, mode: TravelMode, tilesetId: string, json: boolean): void {
  if (outcome.status !== 'ok') throw new CommandFailed(reasonOf(outcome), exitCode.notFound);
  const { path, steps, summary, polyline } = outcome.routes[0]!;
  const { lengthM, durationMs } = path;
  const { origin, destination, warnings } = outcome;
  if (json) {
    const route = { tilesetId, mode, lengthM, durationS: durationMs / 1_000, summary };
    const ends = { originDistanceM: origin.distanceM, destinationDistanceM: destination.distanceM };
    console.log(JSON.stringify({ ...route, ...ends, warnings, polyline, steps }));
    return;
  }
  const by = summary === '' ? '' : ` by ${summary}`;
  console.log(`${(lengthM / 1_000).toFixed(2)} km, ${Math.max(1, Math.round(durationMs / 60_000))} min${by}`);
  for (const { distanceM, instruction } of steps)
    console.log(`${String(Math.round(distanceM)).padStart(6)} m  ${instruction}`);
  for (const warning of warnings) console.log(warning);
}

function reasonOf(outcome: Exclude<RouteTaskOutcome, { readonly status: 'ok' }>): string {
  if (outcome.status === 'no-snap')
    return `There is no road within ${SNAP_METERS_MAX} m of the ${outcome.missing}.`;
  return outcome.reason === 'avoided'
    ? 'No route avoids these roads.'
    : 'There is no route between the places.';
}

function place(text: string): LatLng {
  const match = /^(-?\d{1,2}(?:\.\d+)?),(-?\d{1,3}(?:\.\d+)?)$/.exec(text);
  const [lat, lng] = [Number(match?.[1]), Number(match?.[2])];
  if (match === null || Math.abs(lat) > 90 || Math.abs(lng) > 180) {
    throw new CommandFailed(`${text} is not a place; write lat,lng such as 35.9110,14.5020.`, exitCode.usage);
  }
  return { lat, lng };
}
