import { maneuverAt } from '#routing-engine/guidance/maneuver-at.js';
import { modifierOf } from '#routing-engine/guidance/maneuver-modifier.js';
import { turnAngle, turned } from '#routing-engine/guidance/turn-angle.js';
import { edgeFlag } from '#routing-engine/network/edge-flags.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { turnDs } from '#routing-engine/network/turn-cost.js';
import { CLOSED, type Metric } from '#routing-engine/overlay/metric.js';
import { attributes, featureOf } from './road-features.js';

/** The legal turns at the ends of the pieces, each once, in the layout of OSRM's `turns`. */
export function turnFeatures(
  network: RoadNetwork,
  metric: Metric,
  pieces: Iterable<number>,
): GeoJSON.Feature[] {
  const { pieceEdge, tail, head, nodeLngE7, nodeLatE7 } = network.arrays;
  const nodes = new Set<number>();
  for (const piece of pieces) nodes.add(tail[pieceEdge[piece]!]!).add(head[pieceEdge[piece]!]!);
  return [...nodes].flatMap((node) => {
    const place: GeoJSON.Point = {
      type: 'Point',
      coordinates: [nodeLngE7[node]! / 1e7, nodeLatE7[node]! / 1e7],
    };
    return [...turnsAt(network, metric, node)].map((turn) =>
      featureOf(place, turnAttributes(network, metric, turn)),
    );
  });
}

const none = new Uint32Array(0);

interface Turn {
  readonly from: number;
  readonly to: number;
  readonly ds: number;
}

/** A copy of an edge stands for the same road, so a turn into any of them is the turn into it. */
function* turnsAt(network: RoadNetwork, { mode, costMs }: Metric, node: number): Iterable<Turn> {
  const { firstIn, inEdges, firstOut, flags, copyOf } = network.arrays;
  for (let at = firstIn[node]!; at < firstIn[node + 1]!; at++) {
    const from = inEdges[at]!;
    if ((flags[from]! & edgeFlag.copy) !== 0 || costMs[from] === CLOSED) continue;
    const cheapest = new Map<number, number>();
    for (let to = firstOut[node]!; to < firstOut[node + 1]!; to++) {
      const ds = costMs[to] === CLOSED ? undefined : turnDs(network, mode, from, to);
      if (ds === undefined) continue;
      const original = copyOf[to]!;
      cheapest.set(original, Math.min(ds, cheapest.get(original) ?? ds));
    }
    for (const [to, ds] of cheapest) yield { from, to, ds };
  }
}

/** `type` is that of an instruction for this turn alone, `suppressed` where there is none. */
function turnAttributes(network: RoadNetwork, { mode }: Metric, { from, to, ds }: Turn) {
  const angle = turnAngle(network, from, to);
  const told = maneuverAt(network, mode, { from, to, within: none });
  return attributes({
    bearing_in: Math.round(turned(0, network.arrays.bearingIn[from]!)),
    turn_angle: Math.round(angle),
    cost: ds / 10,
    weight: ds / 10,
    type: told?.type ?? 'suppressed',
    modifier: told?.modifier ?? modifierOf(angle),
  });
}
