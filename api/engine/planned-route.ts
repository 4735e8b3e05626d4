import { edgeFlag, tollBit } from '#routing-engine/network/edge-flags.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import type { UsedEnd } from '#routing-engine/route/find-near.js';
import type { FoundRoute, FoundStep } from '#routing-engine/tasks/route-task.js';
import type { Mode, PlannedRoute, PlannedStep, SnappedPlace } from '../ports/planner.js';
import { googleManeuver } from './google-maneuver.js';
import * as messages from './messages.js';
import { navigationTiles } from './navigation-tiles.js';

export const snapped = (
  { point, distanceM, edge, fraction }: UsedEnd,
  network: RoadNetwork,
): SnappedPlace => ({
  at: point,
  distanceM,
  edgeId: network.edgeId(edge),
  fraction,
});

export function plannedRoute(
  { path, steps, ...found }: FoundRoute,
  warnings: readonly string[],
  network: RoadNetwork,
  mode: Mode,
): PlannedRoute {
  return {
    edgeCount: path.edges.length,
    edgeIds: () => Array.from(path.edges, (edge) => network.edgeId(edge)),
    distanceM: path.lengthM,
    durationS: path.durationMs / 1_000,
    freeFlowS: found.freeFlowMs / 1_000,
    ...metresOfKinds(network, path.edges, tollBit(mode)),
    ...(found.climb && { climb: found.climb }),
    liveEdges: found.liveEdges,
    search: () => ({
      settled: path.debug.settled,
      detailedCells: path.debug.cellsTouched,
      crossedCells: new Set(Array.from(path.edges, (edge) => network.edgeCell(edge))).size,
    }),
    polyline: found.polyline,
    summary: found.summary,
    steps: plannedSteps(steps, network.meta.drivingSide),
    warnings: [
      ...warnings,
      ...(path.closedAtStart ? [messages.closedAtOrigin] : []),
      ...(path.closedAtDestination ? [messages.closedAtDestination] : []),
    ],
    tiles: navigationTiles(network, path.edges[0]!, path.edges.at(-1)!),
  };
}

/** Metres of a route by kind of road. */
function metresOfKinds(
  network: RoadNetwork,
  edges: Uint32Array,
  toll: number,
): Pick<PlannedRoute, 'tollM' | 'motorwayM' | 'ferryM'> {
  let tollM = 0;
  let motorwayM = 0;
  let ferryM = 0;
  for (const edge of edges) {
    const flags = network.edgeFlags(edge);
    if ((flags & (toll | edgeFlag.motorway | edgeFlag.ferry)) === 0) continue;
    const metres = network.edgeLengthM(edge);
    if ((flags & toll) !== 0) tollM += metres;
    if ((flags & edgeFlag.motorway) !== 0) motorwayM += metres;
    if ((flags & edgeFlag.ferry) !== 0) ferryM += metres;
  }
  return { tollM, motorwayM, ferryM };
}

/** A step ends where the next begins. */
export const plannedSteps = (steps: readonly FoundStep[], drivingSide: 'left' | 'right'): PlannedStep[] =>
  steps.map((step, at) => plannedStep(step, steps[at + 1] ?? step, drivingSide));

function plannedStep(step: FoundStep, next: FoundStep, drivingSide: 'left' | 'right'): PlannedStep {
  const maneuver = googleManeuver(step.maneuver, drivingSide);
  const { type, modifier, exit, bearingBefore, bearingAfter } = step.maneuver;
  return {
    turn: {
      type,
      ...(modifier === undefined ? {} : { modifier }),
      ...(exit === undefined ? {} : { exit }),
      bearingBefore,
      bearingAfter,
    },
    name: step.name,
    ref: step.ref,
    travelMode: step.mode,
    text: step.instruction,
    html: step.htmlInstruction,
    isArrival: step.maneuver.type === 'arrive',
    ...(maneuver === undefined ? {} : { maneuver }),
    ...(step.lanes === undefined ? {} : { lanes: step.lanes }),
    distanceM: step.distanceM,
    durationS: step.durationS,
    start: step.maneuver.location,
    end: next.maneuver.location,
    polyline: step.polyline,
  };
}
