import { type SignedRoute, signedRoutes } from '#osm/elements/route-directions.js';
import type { WayRules } from '#osm/profiles/read-way.js';
import { type AlongAndAgainst, noneOfBoth } from '#routing-engine/network/road-sign.js';
import type { Tags } from '#schemas/osm-sink.js';

/**
 * The signed directions of the numbers of a road, in the order of `ref`: `west;` for the first of two
 * numbers. `routes` is what `routeDirections` says of the way.
 */
export function readDirections(
  tags: Tags,
  { forwardKph, backwardKph }: WayRules,
  routes: string,
): AlongAndAgainst {
  if (routes === '') return noneOfBoth;
  const signed = signedRoutes(routes);
  const numbers = (tags.get('ref') ?? '').split(';');
  const [along, against] = [forwardKph[DRIVING]! > 0, backwardKph[DRIVING]! > 0];
  const of = (sense: 'forward' | 'backward', isOpen: boolean, isOneway: boolean): string => {
    if (!isOpen) return '';
    const there = signed.filter((route) => route.sense === sense || (isOneway && route.sense === ''));
    const directions = numbers.map((number) => directionOf(number, there));
    return directions.every((each) => each === '') ? '' : directions.join(';');
  };
  return { along: of('forward', along, !against), against: of('backward', against, !along) };
}

const DRIVING = 0;

const bare = (text: string): string => text.replaceAll(/[\s-]/g, '').toUpperCase();

/** Of the routes that a number names, the direction that all say: `I 80` is `80` in the network `US:I`. */
function directionOf(number: string, routes: readonly SignedRoute[]): string {
  const wanted = bare(number);
  const own = routes.filter(
    ({ network, ref }) => wanted === bare(`${network.split(':').at(-1)!}${ref}`) || wanted === bare(ref),
  );
  const directions = new Set(own.map(({ direction }) => direction));
  return directions.size === 1 ? [...directions][0]! : '';
}
