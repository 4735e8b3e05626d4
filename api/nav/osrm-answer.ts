import polyline from '@mapbox/polyline';
import type { GeometryKind, OsrmQuery } from './osrm-query.js';
import type { Plan, PlannedRoute, PlannedStep, SnappedPlace } from './planner.js';

type Routes = Extract<Plan, { readonly kind: 'routes' }>;

const tenth = (value: number): number => Math.round(10 * value) / 10;

/** The answer to a question whose legs were planned one by one; only the first leg may have several routes. */
export function osrmAnswer(legs: readonly Routes[], query: OsrmQuery): object {
  const first = legs[0]!;
  const count = legs.length === 1 ? first.routes.length : 1;
  return {
    code: 'Ok',
    routes: Array.from({ length: count }, (_, at) =>
      osrmRoute(
        legs.map(({ routes }) => routes[at]!),
        query,
      ),
    ),
    waypoints: [waypoint(first.origin, first), ...legs.map((leg) => waypoint(leg.destination, leg))],
    data_version: `${first.tilesetId}.${first.metricVersion}`,
  };
}

const waypoint = ({ at, edgeId, fraction }: SnappedPlace, { routes }: Routes): object => ({
  // A client hands it back with the next question; it is a name and nothing that has to be trusted.
  hint: Buffer.from(`${edgeId}@${fraction.toFixed(4)}`).toString('base64url'),
  location: [at.lng, at.lat],
  name: routes[0]?.summary ?? '',
  distance: 0,
});

function osrmRoute(legs: readonly PlannedRoute[], query: OsrmQuery): object {
  const sum = (of: (leg: PlannedRoute) => number): number =>
    tenth(legs.reduce((all, leg) => all + of(leg), 0));
  const duration = sum(({ durationS }) => durationS);
  const points = legs.flatMap((leg, at) => polyline.decode(leg.polyline).slice(at === 0 ? 0 : 1));
  return {
    ...(query.overview ? { geometry: geometry(points, query.geometries) } : {}),
    legs: legs.map((leg) => osrmLeg(leg, query)),
    distance: sum(({ distanceM }) => distanceM),
    duration,
    weight_name: 'duration',
    weight: duration,
  };
}

const osrmLeg = (leg: PlannedRoute, query: OsrmQuery): object => ({
  steps: query.steps ? leg.steps.map((step) => osrmStep(step, query)) : [],
  summary: leg.summary,
  distance: tenth(leg.distanceM),
  duration: tenth(leg.durationS),
  weight: tenth(leg.durationS),
});

/** Clients concatenate the lines of the steps and read a modifier at every turn, so both are always there. */
function osrmStep(step: PlannedStep, { geometries }: OsrmQuery): object {
  const { type, modifier, exit, bearingBefore, bearingAfter } = step.turn;
  const location = [step.start.lng, step.start.lat];
  const points = polyline.decode(step.polyline);
  return {
    geometry: geometry(points.length === 1 ? [...points, ...points] : points, geometries),
    maneuver: {
      type,
      ...(modifier !== undefined
        ? { modifier }
        : type === 'depart' || type === 'arrive'
          ? {}
          : { modifier: 'straight' }),
      ...(exit === undefined ? {} : { exit }),
      bearing_before: Math.round(bearingBefore),
      bearing_after: Math.round(bearingAfter),
      location,
      instruction: step.text,
    },
    mode: step.travelMode,
    name: step.name,
    ...(step.ref === '' ? {} : { ref: step.ref }),
    intersections: [
      {
        location,
        bearings: [Math.round(step.isArrival ? (bearingBefore + 180) % 360 : bearingAfter)],
        entry: [true],
        ...(step.isArrival ? { in: 0 } : { out: 0 }),
      },
    ],
    distance: tenth(step.distanceM),
    duration: tenth(step.durationS),
    weight: tenth(step.durationS),
  };
}

function geometry(points: readonly (readonly [number, number])[], kind: GeometryKind): string | object {
  const pairs = points.map(([lat, lng]): [number, number] => [lat, lng]);
  switch (kind) {
    case 'polyline':
      return polyline.encode(pairs);
    case 'polyline6':
      return polyline.encode(pairs, 6);
    case 'geojson':
      return { type: 'LineString', coordinates: pairs.map(([lat, lng]) => [lng, lat]) };
  }
}
