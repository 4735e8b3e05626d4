import { findRoute } from '#routing-engine/find-route.js';
import { guide } from '#routing-engine/guide.js';
import { freeFlowMetric } from '#routing-engine/metric.js';
import { pathGeometry } from '#routing-engine/path-geometry.js';
import { snapPair } from '#routing-engine/snap.js';
import type { TravelMode } from '#routing-engine/travel-mode.js';
import type { LatLng } from '#schemas/units.js';
import { openTileset } from '#tile-builder/open-tileset.js';
import { openObjects } from '../adapters.js';
import { CommandFailed, exitCode } from '../exit.js';
import { readSettings } from '../read-settings.js';

const snapMetresMax = 1_000;

export interface RouteOptions {
  readonly mode: TravelMode;
  readonly language: string;
  readonly json?: boolean;
}

export async function printRoute(
  from: string,
  to: string,
  { mode, language, json }: RouteOptions,
): Promise<void> {
  const [origin, destination] = [place(from), place(to)];
  const objects = await openObjects(readSettings());
  const network = await openTileset(objects);
  await objects.close();
  const ends = snapPair(network, origin, destination, { mode, maxMeters: snapMetresMax });
  const metric = freeFlowMetric(network, mode);
  const outcome = findRoute(network, metric, ends);
  if (outcome.status !== 'ok') {
    const reasons = {
      'no-snap': `There is no road within ${snapMetresMax} m of one of the places.`,
      unreachable: 'There is no way between the places.',
      avoided: 'There is no way without what is to be avoided.',
    };
    throw new CommandFailed(reasons[outcome.reason], exitCode.notFound);
  }
  const { path } = outcome;
  const steps = guide(network, metric, path, pathGeometry(network, path), { language });
  if (json === true) {
    console.log(JSON.stringify({ lengthM: path.lengthM, durationS: path.durationMs / 1_000, steps }));
    return;
  }
  console.log(`${(path.lengthM / 1_000).toFixed(2)} km, ${Math.round(path.durationMs / 60_000)} min`);
  for (const { distanceM, instruction } of steps) {
    console.log(`${String(Math.round(distanceM)).padStart(6)} m  ${instruction}`);
  }
}

function place(text: string): LatLng {
  const match = /^(-?\d{1,2}(?:\.\d+)?),(-?\d{1,3}(?:\.\d+)?)$/.exec(text);
  const [lat, lng] = [Number(match?.[1]), Number(match?.[2])];
  if (match === null || Math.abs(lat) > 90 || Math.abs(lng) > 180) {
    throw new CommandFailed(`${text} is no place; write lat,lng such as 57.7089,11.9746.`, exitCode.usage);
  }
  return { lat, lng };
}
