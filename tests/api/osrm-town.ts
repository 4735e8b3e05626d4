import { expect } from 'vitest';
import { enginePlanner } from '#api/engine/engine-planner.js';
import { engineRoads } from '#api/engine/engine-roads.js';
import { engineRouting } from '#api/engine/engine-routing.js';
import { engineTraffic, type LiveMetric } from '#api/engine/engine-traffic.js';
import { modeMetrics } from '#api/engine/mode-metrics.js';
import { cutGraphTile } from '#api/graph-tiles/cut-graph-tile.js';
import { RoutesUnavailable } from '#api/ports/planner.js';
import { guidanceLanguages } from '#routing-engine/guidance/guide.js';
import { freeFlowMetric } from '#routing-engine/overlay/metric.js';
import { type DrawnMap, drawMap, type MapRules } from '../routing-engine/ascii-map.js';
import { routePool } from './route-pool.js';
import { openGround, type ServedApi, serveApi } from './served-api.js';

const stepM = 20;
export const degPerM = 1 / 111_195;

// biome-ignore lint/suspicious/noExplicitAny: answers are read as a client reads them
export type Json = any;

/** A drawn map behind a gateway with routing threads: 20 m per character, east and south of 0,0. */
export interface OsrmTown {
  readonly map: DrawnMap;
  readonly served: ServedApi;
  live: LiveMetric;
  /** Incidents that the driving metric does not contain yet. */
  gap: string | undefined;
  /** Free flow, and no incident is missing. */
  reset(): void;
  /** A letter of the drawing, moved by metres: `B+50+19` is 50 m east and 19 m north of B. */
  place(text: string): [lng: number, lat: number];
  /** Places with spaces between, as a path of OSRM has them. */
  coordinates(places: string): string;
  ask(service: string, places: string, query?: string, profile?: string): ReturnType<ServedApi['call']>;
  /** The body of an answer that is `Ok`. */
  answer(service: string, places: string, query?: string, profile?: string): Promise<Json>;
  close(): Promise<void>;
}

export async function openOsrmTown(drawing: string, rules: Omit<MapRules, 'stepM'>): Promise<OsrmTown> {
  const map = await drawMap(drawing, { ...rules, stepM });
  const { network } = map;
  const pool = routePool(network);
  const ground = await openGround();
  const others = modeMetrics(network);
  const freeFlow = (): LiveMetric => ({ metric: freeFlowMetric(network, 'driving'), publishedMs: undefined });
  const driving = (): LiveMetric => {
    if (town.gap !== undefined) throw new RoutesUnavailable(town.gap);
    return town.live;
  };
  const served = await serveApi(
    ground,
    {
      roads: engineRoads(network, 'Drawn Town'),
      planner: enginePlanner({ network, pool, driving, others }),
      traffic: engineTraffic(network, driving),
    },
    {
      languages: guidanceLanguages,
      routing: engineRouting({ pool, driving, others }),
      graphTiles: async ({ mode, address }) =>
        cutGraphTile(network, mode === 'driving' ? driving().metric : others.open(mode, Date.now()), address),
    },
  );
  const rows = drawing.split('\n');
  const town: OsrmTown = {
    ...{ map, served, live: freeFlow(), gap: undefined },
    reset() {
      town.gap = undefined;
      town.live = freeFlow();
    },
    place(text) {
      const [, letter, east, north] = /^(\w)(?:([+-]\d+)([+-]\d+))?$/.exec(text)!;
      const y = rows.findIndex((row) => row.includes(letter!));
      const x = rows[y]!.indexOf(letter!);
      return [(x * stepM + Number(east ?? 0)) * degPerM, (Number(north ?? 0) - y * stepM) * degPerM];
    },
    coordinates: (places) =>
      places
        .split(' ')
        .map((each) => town.place(each).map((value) => value.toFixed(7)))
        .join(';'),
    ask: (service, places, query = '', profile = 'driving') =>
      served.call('GET', `/v1/osrm/${service}/v1/${profile}/${town.coordinates(places)}?${query}`),
    async answer(...question) {
      const { status, json } = await town.ask(...question);
      expect({ status, code: json.code, message: json.message }).toEqual({ status: 200, code: 'Ok' });
      return json;
    },
    async close() {
      await served.close();
      await ground.close();
      await pool.close();
    },
  };
  return town;
}
