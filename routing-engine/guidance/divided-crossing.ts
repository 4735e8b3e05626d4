import { edgeFlag, roadClasses } from '../network/edge-flags.js';
import type { RoadNetwork } from '../network/road-network.js';
import type { TravelMode } from '../network/travel-mode.js';
import type { KnownCrossings } from './known-crossings.js';
import { hasName, isLink, isOneway, isOpen, sameName } from './road-likeness.js';
import { turnAngle } from './turn-angle.js';

/** Carriageways farther apart than this are two roads. */
const APART_CM = 4_000;
/** A turn off a carriageway, or onto it. */
const TURN_MIN_DEG = 45;
const TURN_MAX_DEG = 120;
/** From one carriageway onto the other, at least. */
const BACK_DEG = 135;
/** The pieces of a crossing bend by this much, at most. */
const BENT_MAX_DEG = 45;
/** A crossing of two divided roads has four pieces between carriageways; a route takes three at most. */
const PIECES_MAX = 3;

/**
 * The end of the stretch of a route that begins at `at` and lies within a crossing of divided roads: between
 * their carriageways. `at` if there is none. The stretch has an edge before and one behind it.
 */
export function crossingEnd(
  network: RoadNetwork,
  mode: TravelMode,
  edges: Uint32Array,
  at: number,
  known: KnownCrossings,
): number {
  let end = at;
  for (let pieces = 0; pieces < PIECES_MAX; pieces++) {
    const next = pieceEnd(network, mode, edges, end, known);
    if (next === end) break;
    end = next;
  }
  return end > at && isOneTurn(network, edges, at, end) ? end : at;
}

/** A piece between two carriageways may consist of several edges. */
function pieceEnd(
  network: RoadNetwork,
  mode: TravelMode,
  edges: Uint32Array,
  at: number,
  known: KnownCrossings,
): number {
  const { lengthCm } = network.arrays;
  const first = edges[at];
  if (!known.mayBePiece(first) || at === edges.length - 1) return at;
  const isShort = lengthCm[first] <= APART_CM && isPlain(network, first);
  const comers = isShort ? carriagewaysTo(network, mode, first) : [];
  if (comers.length === 0) {
    known.setNoPiece(first);
    return at;
  }
  let acrossCm = 0;
  for (let end = at; end < edges.length - 1; end++) {
    acrossCm += lengthCm[edges[end]];
    if (acrossCm > APART_CM || !isPlain(network, edges[end])) return at;
    if (leadsToOpposite(network, mode, comers, edges[end])) return end + 1;
  }
  return at;
}

const TRUNK = roadClasses.indexOf('trunk');
const SERVICE = roadClasses.indexOf('service');

/** Not a ring, a ship or the ramp of a motorway. */
const isPlain = ({ arrays: { flags, roadClass } }: RoadNetwork, edge: number): boolean =>
  (flags[edge] & (edgeFlag.roundabout | edgeFlag.ferry)) === 0 &&
  ((flags[edge] & edgeFlag.link) === 0 || roadClass[edge] > TRUNK);

const isCarriageway = (network: RoadNetwork, mode: TravelMode, edge: number): boolean =>
  isOpen(network, mode, edge) &&
  isOneway(network, mode, edge) &&
  isPlain(network, edge) &&
  !isLink(network, edge) &&
  network.arrays.roadClass[edge] < SERVICE;

/** To the side of oncoming traffic, where a driver turns round. */
function isBackwards({ meta }: RoadNetwork, angle: number): boolean {
  const turn = meta.drivingSide === 'right' ? -angle : angle;
  return turn >= TURN_MIN_DEG && turn <= TURN_MAX_DEG;
}

/** One-way roads from which drivers turn round over the piece. */
function carriagewaysTo(network: RoadNetwork, mode: TravelMode, piece: number): number[] {
  const { tail, firstIn, inEdges, copyOf } = network.arrays;
  const found: number[] = [];
  for (let i = firstIn[tail[piece]]; i < firstIn[tail[piece] + 1]; i++) {
    const edge = inEdges[i];
    if (copyOf[edge] !== edge || !isCarriageway(network, mode, edge)) continue;
    if (isBackwards(network, turnAngle(network, edge, piece))) found.push(edge);
  }
  return found;
}

function leadsToOpposite(
  network: RoadNetwork,
  mode: TravelMode,
  comers: readonly number[],
  piece: number,
): boolean {
  const { head, firstOut, copyOf } = network.arrays;
  for (let edge = firstOut[head[piece]]; edge < firstOut[head[piece] + 1]; edge++) {
    if (copyOf[edge] !== edge || !isCarriageway(network, mode, edge)) continue;
    if (!isBackwards(network, turnAngle(network, piece, edge))) continue;
    if (comers.some((comer) => areOpposite(network, comer, edge))) return true;
  }
  return false;
}

/** Of one road. The pieces within a crossing often have the name of the other road. */
function areOpposite(network: RoadNetwork, one: number, other: number): boolean {
  const { roadClass, lengthCm } = network.arrays;
  if (roadClass[one] !== roadClass[other] || Math.abs(turnAngle(network, one, other)) < BACK_DEG)
    return false;
  if (Math.min(lengthCm[one], lengthCm[other]) <= APART_CM) return true;
  network.requireEdge(one);
  return sameName(network, one, other) || !hasName(network, one) || !hasName(network, other);
}

/**
 * Straight on or to the side of oncoming traffic; a turn to the other side does not lead over the pieces.
 * They are straight: together, the turns at their ends are the whole turn.
 */
function isOneTurn(network: RoadNetwork, edges: Uint32Array, at: number, end: number): boolean {
  let sum = 0;
  for (let i = at; i <= end; i++) {
    const angle = turnAngle(network, edges[i - 1], edges[i]);
    if ((network.meta.drivingSide === 'right' ? angle : -angle) >= TURN_MIN_DEG) return false;
    sum += angle;
  }
  const bent = Math.abs(sum - turnAngle(network, edges[at - 1], edges[end])) % 360;
  return Math.min(bent, 360 - bent) <= BENT_MAX_DEG;
}
