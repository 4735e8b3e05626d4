import type { TravelMode } from '#routing-engine/network/travel-mode.js';
import type { Tags } from '#schemas/osm-sink.js';
import { accessSaid, mayGoThisWay, mayUseWay } from './raw-access.js';
import type { RawMap } from './raw-map.js';
import { type Step, stepsOf } from './raw-steps.js';

/** A turn at a branch without an instruction. */
export interface SilentTurn {
  readonly node: number;
  /** Clockwise from straight on. */
  readonly degrees: number;
  /** Of the roads before and after it. */
  readonly ways: readonly [from: number, to: number];
  /** A bend of the road: same name, class and access, and no other open road near straight ahead. */
  readonly isPlainBend: boolean;
}

const TURN_DEG = 60;
const AHEAD_DEG = 60;

/**
 * Checks guidance against the raw extract: finds turns of 60° or more without a step, at a node where another
 * road of the mode joins or leaves. Directions are those of the surveyed segments at the node. The step at
 * the entry of a roundabout covers the turns on it. `stepStarts` are the indexes in `edgeIds` at which a step
 * begins.
 */
export function silentTurns(
  map: RawMap,
  edgeIds: readonly string[],
  stepStarts: ReadonlySet<number>,
  mode: TravelMode,
): SilentTurn[] {
  const found: SilentTurn[] = [];
  let before: Step | undefined;
  for (const [edge, id] of edgeIds.entries()) {
    const steps = stepsOf(map, id);
    if (steps === undefined) throw new Error(`${id}: no such stretch in the extract`);
    for (const [i, step] of steps.filter((each) => hasLength(map, each)).entries()) {
      const isInstructed = i === 0 && stepStarts.has(edge);
      const turn = before === undefined || isInstructed ? undefined : turnAt(map, before, step, mode);
      if (turn !== undefined) found.push(turn);
      before = step;
    }
  }
  return found;
}

/** Some ways have two nodes at one place; between them there is no direction. */
function hasLength(map: RawMap, { from, to }: Step): boolean {
  const [one, other] = [map.places.get(from)!, map.places.get(to)!];
  return one[0] !== other[0] || one[1] !== other[1];
}

function turnAt(map: RawMap, from: Step, to: Step, mode: TravelMode): SilentTurn | undefined {
  const [one, other] = [tagsOf(map, from), tagsOf(map, to)];
  if (isRing(one) || isRing(other)) return undefined;
  const degrees = angle(map, from, to.to);
  if (Math.abs(degrees) < TURN_DEG) return undefined;
  const branches = armsAt(map, to.from).filter(({ way, far }) => {
    const isOurs = (way === from.way && far === from.from) || (way === to.way && far === to.to);
    return !isOurs && [true, false].some((along) => isOpen(map, way, mode, along));
  });
  if (branches.length === 0) return undefined;
  const isAhead = branches.some(
    ({ way, far, along }) =>
      isOpen(map, way, mode, along) &&
      !(mode === 'driving' && isTrack(tagsOf(map, { way }))) &&
      Math.abs(angle(map, from, far)) < AHEAD_DEG,
  );
  const isPlainBend =
    !isAhead &&
    nameOf(one) === nameOf(other) &&
    one.get('highway') === other.get('highway') &&
    mayUseWay(one, mode, from.along) === mayUseWay(other, mode, to.along);
  return { node: to.from, degrees, ways: [from.way, to.way], isPlainBend };
}

const tagsOf = (map: RawMap, { way }: Pick<Step, 'way'>): Tags => map.ways.get(way)!.tags;
/** A branch that a driver sees, but that the product closes to cars. */
const isTrack = (tags: Tags): boolean =>
  tags.get('highway') === 'track' && accessSaid(tags, 'driving', true) !== 'yes';
const isRing = (tags: Tags): boolean => /^(roundabout|circular)$/.test(tags.get('junction') ?? '');
/** A road without a name is identified by its number. */
const nameOf = (tags: Tags): string => tags.get('name') ?? `\0${tags.get('ref') ?? ''}`;
const isOpen = (map: RawMap, way: number, mode: TravelMode, along: boolean): boolean => {
  const tags = tagsOf(map, { way });
  return mayUseWay(tags, mode, along) !== 'no' && mayGoThisWay(tags, mode, along);
};

interface Arm {
  readonly way: number;
  /** Neighbour of the node on the way. */
  readonly far: number;
  /** Whether leaving the node follows the drawn direction of the way. */
  readonly along: boolean;
}

const armsOf = new WeakMap<RawMap, Map<number, Arm[]>>();

function armsAt(map: RawMap, node: number): readonly Arm[] {
  let byNode = armsOf.get(map);
  if (byNode === undefined) {
    byNode = new Map();
    for (const [way, { refs, tags }] of map.ways) {
      // The outline of a square is not a road.
      if (tags.get('area') === 'yes') continue;
      for (let i = 1; i < refs.length; i++)
        for (const [near, arm] of [
          [refs[i - 1]!, { way, far: refs[i]!, along: true }],
          [refs[i]!, { way, far: refs[i - 1]!, along: false }],
        ] as const) {
          // The extract may be cut there.
          if (!map.places.has(arm.far)) continue;
          const there = byNode.get(near);
          if (there === undefined) byNode.set(near, [arm]);
          else there.push(arm);
        }
    }
    armsOf.set(map, byNode);
  }
  return byNode.get(node) ?? [];
}

/** Degrees, −180 to 180, between straight on at the end of a step and the direction to a node. */
function angle(map: RawMap, from: Step, far: number): number {
  const heading = (a: number, b: number): number => {
    const [one, other] = [map.places.get(a)!, map.places.get(b)!];
    const east = (other[0] - one[0]) * Math.cos(((one[1] / 1e7) * Math.PI) / 180);
    return (Math.atan2(east, other[1] - one[1]) * 180) / Math.PI;
  };
  const change = heading(from.to, far) - heading(from.from, from.to);
  return ((((change + 180) % 360) + 360) % 360) - 180;
}
