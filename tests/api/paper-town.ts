import polyline from '@mapbox/polyline';
import type { Plan, PlannedRoute, Planner, SnappedPlace } from '#api/ports/planner.js';
import type { Coordinates, Roads } from '#api/ports/roads.js';
import type { CurrentTraffic } from '#api/ports/traffic-view.js';
import type { LatLng } from '#schemas/units.js';

/**
 * A town of five by five crossings, 0.001° apart, with two-way streets: what the gateway shows when the road
 * network is this small. Streets run east (`A street` … `E street`, from the south) and north (`1 avenue` …).
 * Every street has 36 km/h; the test sets the traffic. Routes are found by plain breadth-first search.
 */
const side = 5;
const south = 57.7;
const west = 11.96;
const stepDeg = 0.001;
const metresPerStep = 100;
const secondsPerStep = 10;

interface Street {
  readonly id: string;
  readonly from: number;
  readonly to: number;
  readonly name: string;
}

const crossing = (row: number, column: number): number => row * side + column;
const placeOf = (node: number): LatLng => ({
  lat: south + Math.floor(node / side) * stepDeg,
  lng: west + (node % side) * stepDeg,
});

function streets(): Street[] {
  const found: Street[] = [];
  const add = (from: number, to: number, name: string) => {
    const way = found.length / 2 + 1;
    found.push(
      { id: `${way}:${from}-${to}+`, from, to, name },
      { id: `${way}:${to}-${from}-`, from: to, to: from, name },
    );
  };
  for (let row = 0; row < side; row += 1)
    for (let column = 0; column < side; column += 1) {
      if (column + 1 < side) add(crossing(row, column), crossing(row, column + 1), `${'ABCDE'[row]} street`);
      if (row + 1 < side) add(crossing(row, column), crossing(row + 1, column), `${column + 1} avenue`);
    }
  return found;
}

export interface PaperTown {
  readonly roads: Roads;
  readonly planner: Planner;
  readonly traffic: () => CurrentTraffic;
  /** Publishes a version of the metric in which these edges are closed. */
  close(edgeIds: readonly string[]): void;
}

export function paperTown(): PaperTown {
  const edges = streets();
  const byId = new Map(edges.map(({ id }, edge) => [id, edge]));
  const closed = new Set<number>();
  let version = 1;

  const nodeNear = (place: LatLng, metresMax: number): number | undefined => {
    const row = Math.round((place.lat - south) / stepDeg);
    const column = Math.round((place.lng - west) / stepDeg);
    if (row < 0 || row >= side || column < 0 || column >= side) return undefined;
    const node = crossing(row, column);
    const { lat, lng } = placeOf(node);
    const metres = Math.hypot((place.lat - lat) * 111_000, (place.lng - lng) * 59_000);
    return metres <= metresMax ? node : undefined;
  };
  const lineOf = (edge: number): Coordinates =>
    [edges[edge]!.from, edges[edge]!.to].map((node) => {
      const { lat, lng } = placeOf(node);
      return [lng, lat] as const;
    });

  function path(from: number, to: number): number[] | undefined {
    const cameBy = new Map<number, number | undefined>([[from, undefined]]);
    const queue = [from];
    for (const node of queue) {
      if (node === to) break;
      edges.forEach((street, edge) => {
        if (street.from !== node || closed.has(edge) || cameBy.has(street.to)) return;
        cameBy.set(street.to, edge);
        queue.push(street.to);
      });
    }
    if (!cameBy.has(to)) return undefined;
    const found: number[] = [];
    for (let edge = cameBy.get(to); edge !== undefined; edge = cameBy.get(edges[edge]!.from))
      found.unshift(edge);
    return found;
  }

  const snapped = (node: number): SnappedPlace => {
    const edge = edges.findIndex(({ from }) => from === node);
    return { at: placeOf(node), distanceM: 0, edgeId: edges[edge]!.id, fraction: 0 };
  };

  function routeAlong(found: readonly number[], from: number): PlannedRoute {
    const nodes = [from, ...found.map((edge) => edges[edge]!.to)];
    const points = polyline.encode(nodes.map((node) => [placeOf(node).lat, placeOf(node).lng]));
    const distanceM = found.length * metresPerStep;
    const durationS = found.length * secondsPerStep;
    return {
      edgeCount: found.length,
      edgeIds: () => found.map((edge) => edges[edge]!.id),
      distanceM,
      durationS,
      freeFlowS: durationS,
      tollM: 0,
      motorwayM: 0,
      ferryM: 0,
      liveEdges: 0,
      polyline: points,
      summary: found.length === 0 ? '' : edges[found[0]!]!.name,
      steps: [
        {
          turn: { type: 'depart', bearingBefore: 0, bearingAfter: 90 },
          name: 'Avenyn',
          ref: '',
          travelMode: 'driving',
          text: 'Head along',
          html: `Head along <b>${found.length === 0 ? 'here' : edges[found[0]!]!.name}</b>`,
          isArrival: false,
          distanceM,
          durationS,
          start: placeOf(from),
          end: placeOf(nodes.at(-1)!),
          polyline: points,
        },
      ],
      warnings: ['Paper roads tear.'],
      tiles: ['0/0', '1/0'],
    };
  }

  async function plan({ origin, destination }: { origin: LatLng; destination: LatLng }): Promise<Plan> {
    const metric = { metricVersion: version, tilesetId: 'paper', metricPublishedMs: undefined };
    const [from, to] = [nodeNear(origin, 1_000), nodeNear(destination, 1_000)];
    if (from === undefined)
      return { kind: 'not-found', missing: 'origin', reason: 'No road near the origin.', ...metric };
    if (to === undefined)
      return {
        kind: 'not-found',
        missing: 'destination',
        reason: 'No road near the destination.',
        ...metric,
      };
    const ends = { origin: snapped(from), destination: snapped(to) };
    const found = path(from, to);
    return found === undefined
      ? { kind: 'no-route', reason: 'No route leads there.', ...ends, ...metric }
      : { kind: 'routes', routes: [routeAlong(found, from)], ...ends, ...metric };
  }

  return {
    planner: { plan },
    traffic: () => ({
      version,
      publishedMs: undefined,
      differing: () => [...closed].map((edge) => ({ edge, closed: true, speedKph: 0, freeFlowKph: 36 })),
      isClosed: (edge) => closed.has(edge),
    }),
    close(edgeIds) {
      for (const id of edgeIds) closed.add(byId.get(id)!);
      version += 1;
    },
    roads: {
      tilesetId: 'paper',
      area: {
        name: 'Paper Town',
        bounds: [west, south, west + (side - 1) * stepDeg, south + (side - 1) * stepDeg],
        middle: placeOf(crossing(2, 2)),
      },
      edgeCount: edges.length,
      cellCount: 1,
      edgeOf: (id) => byId.get(id),
      edgeIdOf: (edge) => edges[edge]!.id,
      nameOf: (edge) => edges[edge]!.name,
      lineOf,
      oppositeOf: (edge) => edge ^ 1,
      nearest(place, metresMax) {
        const node = nodeNear(place, metresMax);
        return node === undefined ? undefined : edges.findIndex(({ from }) => from === node);
      },
      tilesBetween: (start) => [`0/${start}`, '1/0'],
      *lines() {
        for (let edge = 0; edge < edges.length; edge += 2)
          yield {
            class: 'residential',
            name: edges[edge]!.name,
            ref: '',
            oneway: false,
            coordinates: lineOf(edge),
          };
      },
    },
  };
}
