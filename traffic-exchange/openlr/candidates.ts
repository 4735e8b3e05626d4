import { angleBetween, distanceM } from '#routing-engine/network/earth.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { snapWithin } from '#routing-engine/snap/snap.js';
import { bearingDifferenceMax, candidateMetresMax, candidatesMax, classDifferenceMax } from './limits.js';
import type { FormOfWay, ReferencePoint } from './line-reference.js';
import { bearingAt, fowOf, frcOf, isDrivable } from './road-attributes.js';

/** A place on an edge that a point of a line may mean. */
export interface Candidate {
  readonly edge: number;
  /** 0 at the tail, 1 at the head. */
  readonly fraction: number;
  /** Metres, or what counts as much: 0 where everything fits exactly. */
  readonly cost: number;
}

/** Half the width of a bearing's sector. */
const exactBearing = 6;
const costPerDegree = 0.5;
const costPerClass = 8;
const costOfOtherForm = 6;
/** Forms that maps use for one another, or that say nothing. */
const costOfUnclearForm = 2;
/** A point lies at a crossing, and our map has most crossings too. */
const costOfNoCrossing = 3;
/** A place this near to the node of an edge is at the node. */
const endMetres = 5;

/**
 * Edges that leave the point, or, for the last point, that arrive at it: the best first. Empty where no road
 * fits.
 */
export function candidatesOf(network: RoadNetwork, point: ReferencePoint): Candidate[] {
  const arrives = point.toNext === undefined;
  const found: Candidate[] = [];
  for (const { snaps } of snapWithin(network, point, candidateMetresMax, { mode: 'driving' }))
    for (const { edge, fraction: nearest, distanceM: lineM } of snaps) {
      if (!isDrivable(network, edge)) continue;
      const node = network.arrays[arrives ? 'head' : 'tail'][edge]!;
      const nodeM = distanceTo(network, node, point);
      const isAtNode = nodeM <= endMetres;
      const lengthM = network.edgeLengthM(edge);
      const fraction = isAtNode ? Number(arrives) : nearest;
      // The road that ends where the line begins is not meant, nor the one that begins where the line ends.
      if (lengthM * (arrives ? fraction : 1 - fraction) < Math.min(endMetres, lengthM / 2)) continue;
      const turned = angleBetween(bearingAt(network, edge, fraction, arrives), point.bearingDeg);
      const classes = Math.abs(frcOf(network, edge) - point.frc);
      if (turned > bearingDifferenceMax || classes > classDifferenceMax) continue;
      const cost =
        (isAtNode ? nodeM : lineM + costOfNoCrossing) +
        costPerDegree * Math.max(0, turned - exactBearing) +
        costPerClass * classes +
        formCost(fowOf(network, edge), point.fow);
      found.push({ edge, fraction, cost });
    }
  return found.sort((a, b) => a.cost - b.cost || a.edge - b.edge).slice(0, candidatesMax);
}

const distanceTo = ({ arrays }: RoadNetwork, node: number, { lng, lat }: ReferencePoint): number =>
  distanceM(arrays.nodeLngE7[node]! / 1e7, arrays.nodeLatE7[node]! / 1e7, lng, lat);

const carriageways: readonly FormOfWay[] = ['motorway', 'multipleCarriageway', 'singleCarriageway'];
const unclear: readonly FormOfWay[] = ['undefined', 'other', 'trafficSquare'];

function formCost(ours: FormOfWay, theirs: FormOfWay): number {
  if (ours === theirs) return 0;
  if (unclear.includes(theirs) || (carriageways.includes(ours) && carriageways.includes(theirs)))
    return costOfUnclearForm;
  return costOfOtherForm;
}
