import type { RoadNetwork } from '../network/road-network.js';
import type { TravelMode } from '../network/travel-mode.js';
import { choicesAt } from './choices.js';
import type { ManeuverModifier, ManeuverType } from './maneuver.js';
import { hasName } from './road-likeness.js';
import type { StepStart } from './step-start.js';

/** An instruction that the map states for a way through a crossing. */
interface StatedManeuver {
  /** First edge behind the crossing, in the path. */
  readonly at: number;
  readonly maneuver: string;
  readonly direction: string;
}

/** Instructions as relations of the map state them, where a path follows their ways. */
export function asStated(
  network: RoadNetwork,
  mode: TravelMode,
  edges: Uint32Array,
  starts: readonly StepStart[],
): readonly StepStart[] {
  const all: StatedManeuver[] = [];
  for (let at = 0; at + 1 < edges.length; at++) {
    const text = network.edgeManeuvers(edges[at]);
    if (text === '') continue;
    for (const line of text.split('\n')) {
      const stated = alongPath(network, edges, at, line);
      if (stated !== undefined) all.push(stated);
    }
  }
  // One instruction for several crossings is stated at one of them and suppressed at the others.
  const [silent, told] = [true, false].map((is) =>
    all.filter(({ maneuver }) => (maneuver === 'suppress') === is),
  );
  let changed = starts;
  for (const { at } of silent) changed = suppressed(network, edges, changed, at);
  for (const each of told) changed = withStated(network, mode, edges, changed, each);
  return changed;
}

/** What a line says, if the path goes from the edge over all of its ways and over its node. */
function alongPath(
  { arrays: { wayId, tail, nodeOsmId } }: RoadNetwork,
  edges: Uint32Array,
  from: number,
  line: string,
): StatedManeuver | undefined {
  const [node, vias = '', to, maneuver = '', direction = ''] = line.split('\t');
  const wayAt = (at: number): number => (at < edges.length ? wayId[edges[at]] : Number.NaN);
  let end = from + 1;
  for (const via of vias === '' ? [] : vias.split('.').map(Number)) {
    if (wayAt(end) !== via) return undefined;
    while (wayAt(end) === via) end++;
  }
  if (wayAt(end) !== Number(to)) return undefined;
  for (let at = from + 1; at <= end; at++)
    if (nodeOsmId[tail[edges[at]]] === Number(node)) return { at, maneuver, direction };
  return undefined;
}

/** The step that begins at the crossing, or passes it while it begins. */
const startAt = (starts: readonly StepStart[], at: number): number =>
  starts.findIndex(
    ({ edge, named, behind = named }, i) => i > 0 && edge <= at && at <= Math.max(edge, behind),
  );

/** Without a step; the one before it leads onto its road if that has no name of its own, such as a ramp. */
function suppressed(
  network: RoadNetwork,
  edges: Uint32Array,
  starts: readonly StepStart[],
  at: number,
): readonly StepStart[] {
  const index = startAt(starts, at);
  if (index < 0) return starts;
  const { named } = starts[index];
  const before = starts[index - 1];
  const left = starts.toSpliced(index, 1);
  if (before.edge === 0 || hasName(network, edges[before.named])) return left;
  return left.with(index - 1, { ...before, named, behind: before.behind ?? before.named });
}

/** A step as stated: a new one only where another road could be taken. */
function withStated(
  network: RoadNetwork,
  mode: TravelMode,
  edges: Uint32Array,
  starts: readonly StepStart[],
  { at, maneuver, direction }: StatedManeuver,
): readonly StepStart[] {
  const modifier = modifierOf(maneuver === 'uturn' ? maneuver : direction);
  const type = maneuver === 'uturn' ? 'turn' : (maneuver as ManeuverType);
  const index = startAt(starts, at);
  if (index >= 0) {
    const { exit: _, ring: _ring, ...known } = starts[index];
    return starts.with(index, { ...known, type, ...(modifier === undefined ? {} : { modifier }) });
  }
  const passage = { from: edges[at - 1], to: edges[at], within: edges.subarray(at, at) };
  if (choicesAt(network, mode, passage).length === 0) return starts;
  const stated = { edge: at, named: at, type, modifier: modifier ?? 'straight' };
  return [...starts, stated].sort((a, b) => a.edge - b.edge);
}

const otherWords: Readonly<Record<string, ManeuverModifier>> = { through: 'straight', reverse: 'uturn' };

const modifierOf = (direction: string): ManeuverModifier | undefined =>
  direction === '' ? undefined : (otherWords[direction] ?? (direction.replace('_', ' ') as ManeuverModifier));
