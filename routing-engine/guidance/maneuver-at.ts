import { edgeFlag, roadClasses } from '../network/edge-flags.js';
import type { RoadNetwork } from '../network/road-network.js';
import type { TravelMode } from '../network/travel-mode.js';
import { type Choice, choicesAt, type Passage, straightestOf } from './choices.js';
import { cornerAt, forcedAt, leadsAhead } from './forced-turn.js';
import type { ManeuverKind, ManeuverModifier } from './maneuver.js';
import { besideOf, modifierOf } from './maneuver-modifier.js';
import { mergeAt, rampAt, rampSide } from './ramps.js';
import { goesOn, isFarLess, isLink, isOneway, isRenamed, isSameGround, isSameRoad } from './road-likeness.js';
import { isRoundabout } from './roundabout.js';
import { angleAtNode, courseAngle, turnAngle } from './turn-angle.js';
import {
  AHEAD_DEG,
  ASIDE_DEG,
  ASIDE_OF_BEND_DEG,
  BACK_DEG,
  BESIDE_DEG,
  CROSSBAR_DEG,
  DISTINCT_DEG,
  EXACT_DEG,
  FORK_DEG,
  ONWARD_DEG,
  STRAIGHT_DEG,
  TURN_DEG,
} from './turn-limits.js';

/**
 * The maneuver of a driver who passes a crossing outside of roundabouts; undefined where the route is
 * obvious. Turn types are OSRM's.
 */
export function maneuverAt(
  network: RoadNetwork,
  mode: TravelMode,
  passage: Passage,
): ManeuverKind | undefined {
  const { from, to, within } = passage;
  const { copyOf, flags, reverse } = network.arrays;
  const back = reverse[from];
  if (back >= 0 && back === copyOf[to]) return { type: 'continue', modifier: 'uturn' };
  if (turnsRound(network, mode, passage))
    return { type: goesOn(network, from, to) ? 'continue' : 'turn', modifier: 'uturn' };
  const renamed = isRenamed(network, from, to);
  const changed = flags[from] ^ flags[to];
  const angle = courseAngle(network, mode, from, to);
  const modifier = modifierOf(angle);
  if ((changed & edgeFlag.ferry) !== 0) return { type: 'notification', modifier };
  if ((flags[from] & edgeFlag.ferry) !== 0) return renamed ? { type: 'notification', modifier } : undefined;
  const merging = mergeAt(network, mode, within.length === 0 ? from : within[within.length - 1], to);
  if (merging !== undefined) return { type: 'merge', modifier: merging };
  const choices = choicesAt(network, mode, passage);
  const newName: ManeuverKind | undefined = renamed ? { type: 'new name', modifier } : undefined;
  if (choices.length === 0) {
    if (within.length === 0) return forcedAt(network, mode, from, to) ?? newName;
    if (Math.abs(angle) < TURN_DEG) return newName;
  }
  const ramp = rampAt(network, from, to);
  if (ramp !== undefined) return { type: ramp, modifier: rampSide(network, ramp, angle, choices) };

  if (staysOnMain(network, mode, from, to, angle, choices)) return undefined;
  const straightest = straightestOf(choices);
  if (Math.abs(angle) < STRAIGHT_DEG) {
    const rivals = choices.filter((choice) => isRival(network, from, to, angle, choice));
    if (rivals.length > 0) {
      const side = forkSide(network, from, to, angle, rivals);
      const isFork = rivals.some(
        ({ edge }) => network.arrays.roadClass[edge] <= network.arrays.roadClass[to],
      );
      return { type: isFork || !goesOn(network, from, to) ? 'fork' : 'continue', modifier: side };
    }
    return (within.length === 0 ? cornerAt(network, mode, from, to) : undefined) ?? newName;
  }
  if (goesOn(network, from, to)) return { type: 'continue', modifier };
  return { type: Math.abs(straightest) < ONWARD_DEG ? 'turn' : 'end of road', modifier };
}

const MOTORWAY = roadClasses.indexOf('motorway');
/** A lesser road that lies so much farther aside than a bend is not taken for the way on. */
const LESS_ASIDE = 1.4;

/** Onto the other carriageway of a divided road. */
function turnsRound(network: RoadNetwork, mode: TravelMode, { from, to, within }: Passage): boolean {
  const { roadClass } = network.arrays;
  if (roadClass[from] !== roadClass[to] || !isOneway(network, mode, from) || !isOneway(network, mode, to))
    return false;
  const angle = Math.abs(turnAngle(network, from, to));
  if (within.length > 0)
    return angle >= BACK_DEG || Math.abs(courseAngle(network, mode, from, to)) >= BACK_DEG;
  return angle >= CROSSBAR_DEG && goesOn(network, from, to) && isTowardsOncoming(network, from, to);
}

const isTowardsOncoming = (network: RoadNetwork, from: number, to: number): boolean =>
  turnAngle(network, from, to) < 0 === (network.meta.drivingSide === 'right');

/** A choice that is as good a way straight on. */
function isRival(
  network: RoadNetwork,
  from: number,
  to: number,
  angle: number,
  { edge, angle: other }: Choice,
): boolean {
  const { roadClass } = network.arrays;
  if (isSameGround(network, edge, to)) return false;
  if (Math.abs(other) >= FORK_DEG || Math.abs(other) > Math.abs(angle) + 25) return false;
  if (Math.abs(angle) <= EXACT_DEG && Math.abs(other) >= ASIDE_DEG) return false;
  if (isRoundabout(network, edge) && Math.abs(angle) < Math.abs(other)) return false;
  if (isOfMotorway(network, from, to) && isRenamed(network, from, edge) && Math.abs(angle) < Math.abs(other))
    return false;
  if ((goesOn(network, from, to) || isRenamed(network, from, edge)) && isFarStraighter(angle, other))
    return false;
  if (goesOn(network, from, edge) && isRenamed(network, from, to) && Math.abs(other) < Math.abs(angle))
    return true;
  if (isLink(network, edge) && !isLink(network, to))
    return roadClass[edge] <= roadClass[to] && !sameClass(network, from, to) && !goesOn(network, from, to);
  if (roadClass[edge] <= roadClass[to]) return true;
  // A lesser road that goes straighter on where one's own bends.
  const isStraighter = Math.abs(other) < Math.min(Math.abs(angle), AHEAD_DEG);
  return isStraighter && Math.abs(angle) >= BESIDE_DEG && !isFarLess(network, edge, to);
}

const isOfMotorway = (network: RoadNetwork, from: number, to: number): boolean =>
  network.arrays.roadClass[to] === MOTORWAY && goesOn(network, from, to);

const isFarStraighter = (angle: number, other: number): boolean =>
  Math.abs(other) > 2 * Math.abs(angle) && Math.abs(other) - Math.abs(angle) > DISTINCT_DEG;

const sameClass = ({ arrays: { roadClass } }: RoadNetwork, a: number, b: number): boolean =>
  roadClass[a] === roadClass[b];

/** The road goes on with its name, class and users, and every choice leads to a far lesser road. */
function staysOnMain(
  network: RoadNetwork,
  mode: TravelMode,
  from: number,
  to: number,
  angle: number,
  choices: readonly Choice[],
): boolean {
  const size = Math.abs(angle);
  if (choices.length === 0 || size >= CROSSBAR_DEG) return false;
  if (size >= ONWARD_DEG && choices.some((choice) => Math.abs(choice.angle) < ONWARD_DEG)) return false;
  if (Math.abs(angleAtNode(network, from, to)) >= TURN_DEG && leadsAhead(network, mode, from, to))
    return false;
  const isRamp = ({ edge }: Choice): boolean => isLink(network, edge) && !isLink(network, to);
  // Where a divided road becomes one, the other carriageway leads back.
  const isCarriageway = (edge: number): boolean =>
    isOneway(network, mode, edge) && isSameRoad(network, mode, from, edge);
  if (isCarriageway(from) && !isOneway(network, mode, to) && isSameRoad(network, mode, from, to))
    if (choices.every(({ edge }) => isCarriageway(edge))) return true;
  if (!isSameRoad(network, mode, from, to))
    return size >= STRAIGHT_DEG && size < ONWARD_DEG && sameClass(network, from, to) && choices.every(isRamp);
  const { roadClass } = network.arrays;
  return choices.every(
    (choice) =>
      isRamp(choice) ||
      isFarLess(network, choice.edge, to) ||
      (isRoundabout(network, choice.edge) && size < Math.abs(choice.angle)) ||
      (roadClass[choice.edge] > roadClass[to] &&
        LESS_ASIDE * size < Math.abs(choice.angle) &&
        size < ONWARD_DEG) ||
      (size < ONWARD_DEG && size >= STRAIGHT_DEG && Math.abs(choice.angle) >= ASIDE_OF_BEND_DEG),
  );
}

/** Of several that go nearly straight on, the middle ones are straight. */
function forkSide(
  network: RoadNetwork,
  from: number,
  to: number,
  angle: number,
  rivals: readonly Choice[],
): ManeuverModifier {
  if (Math.abs(angle) >= BESIDE_DEG) return besideOf(angle, straightestOf(rivals));
  const apart = rivals.filter(({ angle: other }) => other !== angle);
  // Bearings are stored in steps; the drawn lines at the node decide where all are the same.
  const isLeftOf = ({ edge, angle: other }: Choice): boolean =>
    apart.length === 0 ? angleAtNode(network, from, to) < angleAtNode(network, from, edge) : angle < other;
  const others = apart.length === 0 ? rivals : apart;
  const leftOf = others.filter(isLeftOf).length;
  if (leftOf === others.length) return 'slight left';
  return leftOf === 0 ? 'slight right' : 'straight';
}
