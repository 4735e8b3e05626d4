import { pieceMaxM } from '#processors/crossing-piece.js';
import { matchingDefaults } from '#processors/matching/settings.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { turnDs } from '#routing-engine/network/turn-cost.js';
import { applyChanges, type Metric } from '#routing-engine/overlay/metric.js';
import { findRoute } from '#routing-engine/route/find-route.js';
import type { LatLng } from '#schemas/units.js';
import type { LocationTuple } from '#simulated-city/platform-client.js';
import { RouteWalker } from '#simulated-city/route-walker.js';

/** A road that is to close, and how a guided driver finds it closed. */
export interface ClosurePlan {
  readonly edge: number;
  /** Start and destination of the drivers who turn away: their best route leads over the road. */
  readonly origin: LatLng & { readonly headingDeg: number };
  readonly destination: LatLng;
  /** What they drive: up to the road, then away from it. */
  readonly driven: readonly number[];
  /** Metres from the start of the drive to the crossing before the road. */
  readonly crossingM: number;
}

/** Half of the first edge is not driven, and a phone errs: more than a driver must follow a route. */
const approachM = matchingDefaults.reactM + 60;
const awayM = 130;
const apartM = 45;
const beyondM = 200;
const stepM = 10;

/** A road on the way ahead, at least `aheadMin` edges on, that can be driven around and turned away from. */
export function planClosure(
  network: RoadNetwork,
  metric: Metric,
  ahead: readonly number[],
  aheadMin: number,
  random: () => number,
): ClosurePlan | undefined {
  const { copyOf, zone } = network.arrays;
  const places = Array.from({ length: Math.max(0, ahead.length - aheadMin - 8) }, (_, i) => aheadMin + i);
  for (let tries = 0; tries < 12 && places.length > 0; tries++) {
    const [at] = places.splice(Math.floor(random() * places.length), 1);
    const edge = ahead[at!]!;
    if (copyOf[edge] !== edge || zone[edge] !== 0 || network.edgeClass(edge) === 'ferry') continue;
    // Guided drivers close no piece of a crossing that nobody was seen to pass.
    if (network.edgeLengthM(edge) <= pieceMaxM) continue;
    const plan = planAt(network, metric, ahead, at!);
    if (plan !== undefined) return plan;
  }
  return undefined;
}

function planAt(
  network: RoadNetwork,
  metric: Metric,
  ahead: readonly number[],
  at: number,
): ClosurePlan | undefined {
  const edge = ahead[at]!;
  const from = backBy(network, ahead, at, approachM);
  const to = onBy(network, ahead, at, beyondM);
  if (from === undefined || to === undefined) return undefined;
  const away = wayAside(network, ahead, at);
  if (away === undefined) return undefined;
  const ends = { from: [{ edge: ahead[from]!, fraction: 0.5 }], to: [{ edge: ahead[to]!, fraction: 0.5 }] };
  const open = findRoute(network, metric, ends);
  if (open.status !== 'ok' || !open.path.edges.includes(edge)) return undefined;
  const closed = applyChanges(network, metric, [{ edge, closed: true }], metric.version + 1);
  const around = findRoute(network, closed, {
    from: [{ edge: ahead[0]!, fraction: 0.5 }],
    to: [{ edge: ahead.at(-1)!, fraction: 0.5 }],
  });
  if (around.status !== 'ok') return undefined;
  const before = ahead.slice(from, at);
  return {
    edge,
    origin: middleOf(network, ahead[from]!),
    destination: middleOf(network, ahead[to]!),
    driven: [...before, ...away],
    crossingM: before.reduce((sum, each) => sum + network.edgeLengthM(each), 0),
  };
}

function middleOf(network: RoadNetwork, edge: number) {
  return new RouteWalker(network, [edge], network.edgeLengthM(edge) / 2).place();
}

function backBy(
  network: RoadNetwork,
  edges: readonly number[],
  at: number,
  meters: number,
): number | undefined {
  let sum = 0;
  for (let i = at - 1; i >= 0; i--) {
    sum += network.edgeLengthM(edges[i]!);
    if (sum >= meters) return i;
  }
  return undefined;
}

function onBy(
  network: RoadNetwork,
  edges: readonly number[],
  at: number,
  meters: number,
): number | undefined {
  let sum = 0;
  for (let i = at + 1; i < edges.length; i++) {
    sum += network.edgeLengthM(edges[i]!);
    if (sum >= meters) return i;
  }
  return undefined;
}

/** Another exit of the crossing before the road, which soon is far from the route. */
function wayAside(network: RoadNetwork, ahead: readonly number[], at: number): number[] | undefined {
  const { tail, firstOut } = network.arrays;
  const before = ahead[at - 1]!;
  const node = tail[ahead[at]!]!;
  for (let first = firstOut[node]!; first < firstOut[node + 1]!; first++) {
    if (first === ahead[at] || !mayTurn(network, before, first)) continue;
    const way = [first];
    let meters = network.edgeLengthM(first);
    while (meters < awayM) {
      const next = straightOn(network, way.at(-1)!);
      if (next === undefined || way.includes(next)) break;
      way.push(next);
      meters += network.edgeLengthM(next);
    }
    if (meters >= awayM && liesApart(network, way, ahead.slice(Math.max(0, at - 3), at + 12))) return way;
  }
  return undefined;
}

function mayTurn(network: RoadNetwork, from: number, to: number): boolean {
  const { copyOf, zone } = network.arrays;
  return (
    copyOf[to] === to &&
    zone[to] === 0 &&
    network.reverseOf(from) !== to &&
    network.freeFlowKph(to, 'driving') > 0 &&
    turnDs(network, 'driving', from, to) !== undefined
  );
}

function straightOn(network: RoadNetwork, edge: number): number | undefined {
  const { head, firstOut } = network.arrays;
  const node = head[edge]!;
  for (let next = firstOut[node]!; next < firstOut[node + 1]!; next++)
    if (mayTurn(network, edge, next)) return next;
  return undefined;
}

function liesApart(network: RoadNetwork, way: readonly number[], route: readonly number[]): boolean {
  const end = placesAlong(network, way, awayM - stepM, awayM)[0];
  if (end === undefined) return false;
  const perLng = 111_195 * Math.cos((end.lat * Math.PI) / 180);
  return route.every((edge) => {
    const line = network.edgeGeometry(edge);
    for (let i = 0; i < line.length; i += 2)
      if (Math.hypot((line[i]! - end.lng) * perLng, (line[i + 1]! - end.lat) * 111_195) < apartM)
        return false;
    return true;
  });
}

function placesAlong(network: RoadNetwork, edges: readonly number[], fromM: number, toM: number) {
  const walker = new RouteWalker(network, edges, 0);
  const places: (LatLng & { readonly headingDeg: number })[] = [];
  walker.drive(
    fromM,
    () => 1,
    () => true,
  );
  for (let meters = fromM; meters <= toM; meters += stepM) {
    places.push(walker.place());
    walker.drive(
      stepM,
      () => 1,
      () => true,
    );
  }
  return places;
}

/** One second at 36 km/h after the other, the last of them now. */
export function turnAwayPoints(
  network: RoadNetwork,
  { driven, crossingM }: ClosurePlan,
  nowMs: number,
): LocationTuple[] {
  const places = placesAlong(network, driven, Math.max(0, crossingM - approachM), crossingM + awayM - 1);
  return places.map(
    ({ lat, lng, headingDeg }, i): LocationTuple => [
      lat,
      lng,
      nowMs - (places.length - 1 - i) * 1_000,
      5,
      10,
      headingDeg,
    ],
  );
}
