import type { Json } from './served-maps.js';

const stepsOf = (route: Json): Json[] => route.legs.flatMap(({ steps }: Json) => steps);
const listed = (route: Json, of: (step: Json) => unknown): string => stepsOf(route).map(of).join(',');
const opposite = (bearing: number): number => (bearing + 180) % 360;

/** A maneuver in the words of OSRM's tables. */
function turnOf({ maneuver, rotary_name: rotary }: Json): string {
  const { type, modifier, exit } = maneuver;
  switch (type) {
    case 'depart':
    case 'arrive':
      return type;
    case 'roundabout':
      return `roundabout-exit-${exit}`;
    case 'rotary':
      return `${rotary ?? 'rotary'}-exit-${exit}`;
    case 'roundabout turn':
      return `${type} ${modifier} exit-${exit}`;
    default:
      return `${type} ${modifier}`;
  }
}

const bearingOf = ({ intersections: [first] }: Json): string => {
  const before = 'in' in first ? opposite(first.bearings[first.in]) : 0;
  return `${before}->${'out' in first ? first.bearings[first.out] : 0}`;
};

const armsOf = ({ bearings, entry }: Json): string =>
  bearings.map((bearing: number, at: number) => `${entry[at]}:${bearing}`).join(' ');

const lanesOf = ({ lanes = [] }: Json): string =>
  lanes.map(({ indications, valid }: Json) => `${indications.join(';')}:${valid}`).join(' ');

/** The cells of a route, by the names of OSRM's columns. */
export const routeCells: Readonly<Record<string, (route: Json) => string>> = {
  route: (route) => listed(route, ({ name }) => name),
  ref: (route) => listed(route, ({ ref }) => ref ?? ''),
  pronunciations: (route) => listed(route, ({ pronunciation }) => pronunciation ?? ''),
  destinations: (route) => listed(route, ({ destinations }) => destinations ?? ''),
  exits: (route) => listed(route, ({ exits }) => exits ?? ''),
  bearing: (route) => listed(route, bearingOf),
  turns: (route) => listed(route, turnOf),
  modes: (route) => listed(route, ({ mode }) => mode),
  driving_side: (route) => listed(route, ({ driving_side: side }) => side),
  classes: (route) =>
    listed(
      route,
      ({ intersections }) =>
        `[${intersections.map(({ classes = [] }: Json) => `(${classes.join(',')})`).join(',')}]`,
    ),
  times: (route) => listed(route, ({ duration }) => `${duration}s`),
  distances: (route) => listed(route, ({ distance }) => `${distance}m`),
  weights: (route) => listed(route, ({ weight }) => weight),
  lanes: (route) => listed(route, ({ intersections }) => intersections.map(lanesOf).join(';')),
  intersections: (route) =>
    stepsOf(route)
      .map(({ intersections }) => intersections.map(armsOf).join(','))
      .join(';'),
  summary: (route) => route.legs.map(({ summary }: Json) => summary).join(';'),
  weight_name: (route) => route.weight_name,
  weight: (route) => `${route.weight}`,
  distance: (route) => `${route.distance}m`,
  time: (route) => `${route.duration}s`,
  speed: ({ distance, duration }) =>
    duration > 0 ? `${Math.round((3.6 * distance) / duration)} km/h` : 'null km/h',
  geometry: (route) => (typeof route.geometry === 'string' ? route.geometry : JSON.stringify(route.geometry)),
};

/** The values of one annotation, joined within a leg by `:` and between legs by `,`; undefined for none. */
export function annotationOf(route: Json, kind: string): string | undefined {
  const all = route.legs.map(({ annotation }: Json) => annotation?.[kind]);
  return all.includes(undefined) ? undefined : all.map((values: Json[]) => values.join(':')).join(',');
}
