import { engineRoads } from '#api/engine/engine-roads.js';
import { engineTraffic } from '#api/engine/engine-traffic.js';
import { tilesOnEventLoop } from '#api/map/tiles-on-event-loop.js';
import type { ServedRelease } from '#api/release/served-release.js';
import { openTileset } from '#map-data/open-tileset.js';
import { ShapeNodes } from '#map-data/tiles/shape-nodes.js';
import { openEdges } from '#routing-engine/hours/open-edges.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import type { TravelMode } from '#routing-engine/network/travel-mode.js';
import { applyHours } from '#routing-engine/overlay/apply-hours.js';
import { limitSpeed } from '#routing-engine/overlay/limit-speed.js';
import {
  applyChanges,
  type EdgeChange,
  freeFlowMetric,
  type Metric,
} from '#routing-engine/overlay/metric.js';
import { answerNearestTask } from '#routing-engine/tasks/nearest-task.js';
import { answerTableTask } from '#routing-engine/tasks/table-task.js';
import { answerThroughTask } from '#routing-engine/tasks/through-task.js';
import { answerTraceTask } from '#routing-engine/tasks/trace-task.js';
import { answerTripTask } from '#routing-engine/tasks/trip-task.js';
import { InvalidMapSource, type OsmSink } from '#schemas/osm-sink.js';
import { buildTileset } from '#tile-builder/build-tileset.js';
import { edgeSpeeds } from '#traffic-exchange/segment-speeds/edge-speeds.js';
import { readSegmentSpeeds } from '#traffic-exchange/segment-speeds/read-segment-speeds.js';
import { speedEvents } from '#traffic-exchange/segment-speeds/speed-events.js';
import { openGround, type ServedApi, serveApi } from '../api/served-api.js';
import { MemoryObjectStore } from '../tile-builder/memory-object-store.js';
import { type Fixture, playFixture } from '../tile-builder/osm-fixture.js';

// biome-ignore lint/suspicious/noExplicitAny: answers are read as a client reads them
export type Json = any;

export interface Answer {
  readonly status: number;
  readonly json: Json;
}

export interface ServeOptions {
  /** Default: derived from the roundabouts of the map. */
  readonly drivingSide?: 'left' | 'right' | undefined;
  /** Default: no hour; what is open at some hours only is closed. */
  readonly departMs?: number | undefined;
  /** Speeds between nodes, which an operator imports as OSRM's tools read them. */
  readonly speedFile?: string | undefined;
  /** Changes the network before it is served. */
  readonly change?: (network: RoadNetwork) => void;
}

/** A gateway that serves one map after another, as a release replaces another. */
export interface ServedMaps {
  /** Builds the tiles and serves them. */
  serve(elements: Fixture, options: ServeOptions): Promise<void>;
  /** `service` and what follows, for example `route/v1/driving/1,1;1,2?steps=true`; with a body, a POST. */
  ask(request: string, body?: string): Promise<Answer>;
  close(): Promise<void>;
}

/** Thousands of answers; packing and unpacking them takes longer than to find them. */
const headers = { 'accept-encoding': 'identity' };

export async function openServedMaps(): Promise<ServedMaps> {
  const ground = await openGround();
  let served: ServedApi | undefined;
  return {
    async serve(elements, { drivingSide, departMs, change, speedFile }) {
      const { network, nodeIds } = await builtFrom(elements, drivingSide).catch((error: unknown) => {
        if (!(error instanceof InvalidMapSource)) throw error;
        return builtFrom(farRoad);
      });
      change?.(network);
      const stated = await statedSpeeds(network, nodeIds!, speedFile);
      const release = { ...releaseOf(network, departMs, stated), ...(nodeIds && { nodeIds }) };
      if (served === undefined) served = await serveApi(ground, release, release);
      else served.releases.swap({ release, close: () => Promise.resolve() });
    },
    async ask(request, body) {
      const path = `/v1/osrm/${request}`;
      const asked =
        body === undefined
          ? served!.call('GET', path, { headers })
          : served!.call('POST', path, { headers, body });
      const { status, json } = await asked;
      return { status, json };
    },
    async close() {
      await served?.close();
      await ground.close();
    },
  };
}

interface BuiltMap {
  readonly network: RoadNetwork;
  readonly nodeIds: ShapeNodes | undefined;
}

async function builtFrom(elements: Fixture, drivingSide?: 'left' | 'right'): Promise<BuiltMap> {
  const objects = new MemoryObjectStore();
  const source = { kind: 'elements', read: (sink: OsmSink) => playFixture(elements, sink) } as const;
  await buildTileset(source, objects, drivingSide === undefined ? {} : { drivingSide });
  const network = await openTileset(objects);
  return { network, nodeIds: await ShapeNodes.open(objects, network.tilesetId) };
}

/** A map without any road is not built; here no place of a scenario is within reach of one. */
const farRoad: Fixture = {
  nodes: [
    { id: 1, lng: -120, lat: -60 },
    { id: 2, lng: -120, lat: -60.001 },
  ],
  ways: [{ id: 1, refs: [1, 2], tags: { highway: 'primary' } }],
};

/** What the product makes of a network, with the search in this thread. */
function releaseOf(
  network: RoadNetwork,
  departMs: number | undefined,
  stated: readonly EdgeChange[],
): ServedRelease & Required<Pick<ServedRelease, 'routing'>> {
  const known = new Map<TravelMode, Metric>();
  const metricOf = (mode: TravelMode): Metric => {
    const metric = known.get(mode) ?? metricAt(network, mode, departMs, stated);
    known.set(mode, metric);
    return metric;
  };
  const withMetric = <Asked extends { readonly mode: TravelMode; readonly topSpeedKph?: number }>({
    mode,
    topSpeedKph,
    ...asked
  }: Asked) => {
    const usual = metricOf(mode);
    return { ...asked, metric: topSpeedKph === undefined ? usual : limitSpeed(network, usual, topSpeedKph) };
  };
  const roads = engineRoads(network, 'scenario');
  return {
    roads,
    roadTiles: tilesOnEventLoop(roads),
    planner: { plan: () => Promise.reject(new Error('only the layer of OSRM is asked')) } as never,
    traffic: engineTraffic(network, () => ({ metric: metricOf('driving'), publishedMs: undefined })),
    routing: {
      guided: () => Promise.reject(new Error('only the layer of OSRM is asked')),
      isochrone: () => Promise.reject(new Error('only the layer of OSRM is asked')),
      nearest: async (asked) => answerNearestTask(network, withMetric(asked)),
      table: async (asked) => answerTableTask(network, withMetric(asked)),
      through: async (asked) => answerThroughTask(network, withMetric(asked)),
      trace: async (asked) => answerTraceTask(network, withMetric(asked)),
      trip: async (asked) => answerTripTask(network, withMetric(asked)),
    },
  };
}

/** What the incidents of an import change. */
async function statedSpeeds(
  network: RoadNetwork,
  nodeIds: ShapeNodes,
  speedFile: string | undefined,
): Promise<EdgeChange[]> {
  if (speedFile === undefined) return [];
  const speeds = await edgeSpeeds(network, nodeIds, readSegmentSpeeds(speedFile));
  const { feed, match } = speedEvents(network, speeds);
  return feed.events.flatMap((event) => {
    const matched = match(event);
    const { effect } = event;
    return (matched.kind === 'edges' ? matched.edges : []).map(
      (edge): EdgeChange =>
        effect.kind === 'closed' ? { edge, closed: true } : { edge, speedKph: effect.speedKph },
    );
  });
}

function metricAt(
  network: RoadNetwork,
  mode: TravelMode,
  departMs: number | undefined,
  stated: readonly EdgeChange[],
): Metric {
  const free = freeFlowMetric(network, mode);
  const metric = mode === 'driving' && stated.length > 0 ? applyChanges(network, free, stated, 1) : free;
  return departMs === undefined ? metric : applyHours(network, metric, openEdges(network, mode, departMs));
}
