import { type Avoidable, avoidMask } from '#routing-engine/edge-flags.js';
import { freeFlowMetric } from '#routing-engine/metric.js';
import { encodePolyline } from '#routing-engine/polyline.js';
import { answerRouteTask, type RouteTaskOutcome } from '#routing-engine/route-task.js';
import type { TravelMode } from '#routing-engine/travel-mode.js';
import type { LatLng } from '#schemas/units.js';
import { openTileset, TilesetNotFound } from '#tile-builder/open-tileset.js';
import { openObjects } from '../adapters.js';
import { CommandFailed, exitCode } from '../exit.js';
import { readSettings } from '../read-settings.js';

const SNAP_METERS_MAX = 1_000;

export interface RouteOptions {
  readonly mode: TravelMode;
  readonly language: string;
  readonly avoid: readonly Avoidable[];
  readonly json?: boolean;
}

/** Searches on the current tileset over empty roads, and prints length, time and steps. */
export async function printRoute(
  from: string,
  to: string,
  { mode, language, avoid, json }: RouteOptions,
): Promise<void> {
  const [origin, destination] = [place(from), place(to)];
  const objects = await openObjects(readSettings());
  const network = await openTileset(objects).catch((error: unknown) => {
    if (!(error instanceof TilesetNotFound)) throw error;
    throw new CommandFailed(`${error.message}: npx meridian tiles build`, exitCode.notFound);
  });
  await objects.close();
  const outcome = answerRouteTask(network, {
    metric: freeFlowMetric(network, mode),
    from: { point: origin },
    to: { point: destination },
    avoid: avoidMask(avoid),
    alternatives: 0,
    language,
    snapMaxMeters: SNAP_METERS_MAX,
  });
  if (outcome.status !== 'ok') throw new CommandFailed(reasonOf(outcome), exitCode.notFound);
  const { path, steps, summary, lngLat } = outcome.routes[0]!;
  const { lengthM, durationMs } = path;
  if (json === true) {
    const { tilesetId } = network;
    const route = { tilesetId, mode, lengthM, durationS: durationMs / 1_000, summary };
    console.log(JSON.stringify({ ...route, polyline: encodePolyline(lngLat), steps }));
    return;
  }
  const by = summary === '' ? '' : ` by ${summary}`;
  console.log(`${(lengthM / 1_000).toFixed(2)} km, ${Math.max(1, Math.round(durationMs / 60_000))} min${by}`);
  for (const { distanceM, instruction } of steps)
    console.log(`${String(Math.round(distanceM)).padStart(6)} m  ${instruction}`);
}

function reasonOf(outcome: Exclude<RouteTaskOutcome, { readonly status: 'ok' }>): string {
  if (outcome.status === 'no-snap')
    return `There is no road within ${SNAP_METERS_MAX} m of the ${outcome.missing}.`;
  return outcome.reason === 'avoided'
    ? 'There is no way without what is to be avoided.'
    : 'There is no way between the places.';
}

function place(text: string): LatLng {
  const match = /^(-?\d{1,2}(?:\.\d+)?),(-?\d{1,3}(?:\.\d+)?)$/.exec(text);
  const [lat, lng] = [Number(match?.[1]), Number(match?.[2])];
  if (match === null || Math.abs(lat) > 90 || Math.abs(lng) > 180) {
    throw new CommandFailed(`${text} is no place; write lat,lng such as 57.7089,11.9746.`, exitCode.usage);
  }
  return { lat, lng };
}
