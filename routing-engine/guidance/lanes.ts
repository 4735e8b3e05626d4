import type { RoadNetwork } from '../network/road-network.js';
import type { TravelMode } from '../network/travel-mode.js';
import type { Lane } from '../route/lane.js';
import { type Choice, choicesAt, type Passage } from './choices.js';
import { isRoundabout as isRing } from './roundabout.js';
import { courseAngle, turnAngle } from './turn-angle.js';

/** Degrees from straight on to which a lane leads. Those that merge lead straight on. */
const angles: Readonly<Record<string, number>> = {
  through: 0,
  merge_to_left: 0,
  merge_to_right: 0,
  sharp_left: -135,
  left: -90,
  slight_left: -45,
  slight_right: 45,
  right: 90,
  sharp_right: 135,
};
/** OSRM's words, in the order in which it lists them. */
const words: Readonly<Record<string, string>> = {
  through: 'straight',
  sharp_left: 'sharp left',
  left: 'left',
  slight_left: 'slight left',
  slight_right: 'slight right',
  right: 'right',
  sharp_right: 'sharp right',
  reverse: 'uturn',
  merge_to_left: 'merge to left',
  merge_to_right: 'merge to right',
};
const order = Object.keys(words);

/** A lane leads to a road within this angle of the one that its arrow shows. */
const FIT_DEG = 75;
/** From here on a turn is to the side. */
const ASIDE_DEG = 45;
/** Beyond, a driver turns round. */
const UTURN_DEG = 150;
/** From here on, over several carriageways to the other side. */
const ROUND_DEG = 120;
/** Lanes end this far before a crossing at most, or at a signal before it. */
export const GAP_CM = 5_000;

/**
 * The lanes before a crossing, from left to right, and which of them lead to where the route goes; undefined
 * if they are not known, or say nothing of that.
 */
export function lanesAt(
  network: RoadNetwork,
  mode: TravelMode,
  edges: Uint32Array,
  at: number,
  behind: number,
): readonly Lane[] | undefined {
  if ([edges[at - 1], edges[at], edges[behind]].some((edge) => isRing(network, edge))) return undefined;
  const text = lanesBefore(network, mode, edges, at);
  if (text === '') return undefined;
  const passage = { from: edges[at - 1], to: edges[behind], within: edges.subarray(at, behind) };
  const angle = courseAngle(network, mode, passage.from, passage.to);
  const begins = turnAngle(network, passage.from, edges[at]);
  // Over several carriageways one may end up on the other side of where one came from.
  const isPast = behind > at && angle * begins < 0 && Math.abs(angle) > ROUND_DEG;
  const turnsRound = isPast || Math.abs(angle) >= UTURN_DEG;
  // One turns round to the side of oncoming traffic.
  const isToLeft = network.meta.drivingSide === 'right';
  const taken = { edge: passage.to, angle: turnsRound ? (isToLeft ? -180 : 180) : angle };
  const choices = [...choicesAt(network, mode, passage), taken].toSorted((a, b) => a.angle - b.angle);
  const lanes = text.split('|').map((lane) => (lane === '' ? [] : [...new Set(lane.split(';'))]));
  const signs = new Set(lanes.flat().filter((word) => word in angles));
  // Arrows for more roads than there are belong to a crossing farther on.
  if (!turnsRound && choices.length === 1 && signs.size !== 1) return undefined;
  const isTaken = turnsRound
    ? leadsBack(signs, lanes, taken)
    : leadsTo(
        [...signs],
        choices,
        taken,
        lanes.some(({ length }) => length === 0),
      );
  const isSigned = lanes.some((lane) => lane.some(isTaken));
  // Lanes without a sign lead wherever no other does, and straight on.
  const isOpen = !isSigned || choices[straightest(choices)] === taken;
  const found = lanes.map((lane) => ({
    indications: lane.length === 0 ? ['none'] : sorted(lane),
    valid: lane.length === 0 ? isOpen : lane.some(isTaken),
  }));
  const isAside = isSigned ? turnsRound : Math.abs(taken.angle) >= ASIDE_DEG;
  const valid = isAside ? outermost(found, taken.angle < 0) : found;
  return valid.some((lane) => lane.valid) ? valid : undefined;
}

/** One turns round, or to the side from lanes without a sign, from the lane on that side. */
function outermost(lanes: readonly Lane[], isLeft: boolean): Lane[] {
  const at = isLeft ? lanes.findIndex(({ valid }) => valid) : lanes.findLastIndex(({ valid }) => valid);
  return lanes.map((lane, i) => (i === at ? lane : { ...lane, valid: false }));
}

/** Of the road before the crossing, or of one before that if there was no other exit since. */
function lanesBefore(network: RoadNetwork, mode: TravelMode, edges: Uint32Array, at: number): string {
  let gapCm = 0;
  let signed = at - 1;
  let text = network.edgeLanes(edges[signed]);
  while (text === '' && signed > 0) {
    gapCm += network.arrays.lengthCm[edges[signed]];
    if (gapCm > GAP_CM) return '';
    signed--;
    text = network.edgeLanes(edges[signed]);
  }
  for (let since = at - 1; since > signed; since--) {
    const passage = { from: edges[since - 1], to: edges[since], within: edges.subarray(0, 0) };
    if (choicesAt(network, mode, passage).length > 0 && !leadOn(network, mode, passage, text)) return '';
  }
  return text;
}

/**
 * Whether some of the arrows before a crossing that is passed straight on lead to a road of the next one:
 * here is none in their direction.
 */
export function leadOn(network: RoadNetwork, mode: TravelMode, passage: Passage, lanes: string): boolean {
  const taken = courseAngle(network, mode, passage.from, passage.to);
  if (Math.abs(taken) >= ASIDE_DEG) return false;
  const roads = [taken, ...choicesAt(network, mode, passage).map(({ angle }) => angle)];
  return lanes
    .split(/[|;]/)
    .some((word) => word in angles && roads.every((road) => Math.abs(road - angles[word]!) > FIT_DEG));
}

const straightest = (choices: readonly Choice[]): number =>
  choices.reduce((best, { angle }, at) => (Math.abs(angle) < Math.abs(choices[best].angle) ? at : best), 0);

const sorted = (lane: readonly string[]): string[] =>
  lane.toSorted((a, b) => order.indexOf(a) - order.indexOf(b)).map((word) => words[word] ?? 'none');

/** Words that lead back: of their own, else those to the side on which one turns round. */
function leadsBack(
  signs: ReadonlySet<string>,
  lanes: readonly (readonly string[])[],
  { angle }: Choice,
): (word: string) => boolean {
  if (lanes.some((lane) => lane.includes('reverse'))) return (word) => word === 'reverse';
  const side = angle < 0 ? 'left' : 'right';
  const words = [side, `sharp_${side}`, `slight_${side}`].filter((word) => signs.has(word));
  return (word) => words.includes(word);
}

/**
 * Whether a word leads to the road that is taken. As many words as roads lead to them from left to right;
 * else each word leads to the road nearest to its direction, and where neither a word nor a lane without one
 * leads to the road that is taken, the nearest word does.
 */
function leadsTo(
  signs: readonly string[],
  choices: readonly Choice[],
  taken: Choice,
  hasUnsigned: boolean,
): (word: string) => boolean {
  const angleOf = (word: string): number => angles[word] ?? 0;
  const apart = (word: string, { angle }: Choice): number => Math.abs(angleOf(word) - angle);
  if (signs.length === choices.length && !signs.some((word) => word.startsWith('merge'))) {
    const ordered = signs.toSorted((a, b) => angleOf(a) - angleOf(b));
    if (ordered.every((word, at) => apart(word, choices[at]) <= FIT_DEG))
      return (word) => word === ordered[choices.indexOf(taken)];
  }
  const nearest = (word: string): Choice =>
    choices.reduce((best, choice) => (apart(word, choice) < apart(word, best) ? choice : best));
  const direct = signs.filter((word) => nearest(word) === taken && apart(word, taken) <= FIT_DEG);
  if (direct.length > 0 || hasUnsigned) return (word) => direct.includes(word);
  const best = Math.min(...signs.map((word) => apart(word, taken)));
  return (word) => signs.includes(word) && apart(word, taken) === best && best < FIT_DEG / 2;
}
