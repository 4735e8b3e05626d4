import type { Scratch } from '#map-data/arrays/scratch.js';
import { closedBit, nodeFlag } from '#map-data/tiles/node-flag.js';
import { type Country, countryAt } from '#osm/countries/country-at.js';
import { nodeIndex } from '#osm/elements/osm-extract.js';
import { passageOf } from '#osm/profiles/access.js';
import { profiles } from '#osm/profiles/profiles.js';
import type { WayRules } from '#osm/profiles/read-way.js';
import { RulesReader } from '#osm/profiles/rules-reader.js';
import { limitsAtNode } from '#osm/profiles/vehicle-limits.js';
import { distanceM } from '#routing-engine/network/earth.js';
import type { Tags } from '#schemas/osm-sink.js';
import type { MatchedExtract, PlacedExtract } from './match-roads.js';
import { gateBit } from './private-gates.js';
import { mayHaveLanes } from './read-lanes.js';
import { maySign } from './read-sign.js';

const turningPlaces = ['turning_circle', 'turning_loop', 'mini_roundabout'];

/** The parsed tags of ways. */
export interface ReadRoads {
  readonly readings: readonly WayRules[];
  /** [ways] index into `readings`; -1 if no mode may use it. */
  readonly readingOf: Int32Array;
  /** [ways] 1 where `signText` may be one. */
  readonly signed: Uint8Array;
}

/** Reads new ways, and reuses the previous result for ways with the same tag objects as before. */
export function readRoads(
  { extract, nodeOf }: PlacedExtract,
  kept: Scratch,
  matched: MatchedExtract | undefined,
  known: ReadRoads | undefined,
): ReadRoads {
  const { wayTags } = extract;
  const reader = new RulesReader();
  const readings: WayRules[] = [];
  const numbers = new Map<WayRules, number>();
  const numberOf = (rules: WayRules): number => {
    let number = numbers.get(rules);
    if (number === undefined) {
      number = readings.push(rules) - 1;
      numbers.set(rules, number);
    }
    return number;
  };
  /** By number before: number now. */
  const renumbered = new Int32Array(known?.readings.length ?? 0).fill(-1);
  const readingOf = kept.int32('readingOf', wayTags.length);
  const signed = kept.uint8('signed', wayTags.length);
  for (let way = 0; way < wayTags.length; way++) {
    const tags = wayTags[way];
    const was = matched === undefined ? -1 : matched.wayBefore[way];
    // A way that moved may lie in another country.
    if (was >= 0 && tags === matched!.before.extract.wayTags[was] && matched!.samePlaces[way] === 1) {
      const number = known!.readingOf[was];
      if (number >= 0 && renumbered[number] < 0) renumbered[number] = numberOf(known!.readings[number]);
      readingOf[way] = number < 0 ? -1 : renumbered[number];
      signed[way] = known!.signed[was] | Number(isTold(extract, way));
      continue;
    }
    const rules = reader.read(tags, wayLength(extract, nodeOf, way), countryOf(extract, nodeOf, way));
    readingOf[way] = rules === undefined ? -1 : numberOf(rules);
    signed[way] = maySign(tags) || mayHaveLanes(tags) || isTold(extract, way) ? 1 : 0;
  }
  return { readings, readingOf, signed };
}

/** Whether relations say something about a way. */
const isTold = ({ wayIds, directions, maneuvers }: PlacedExtract['extract'], way: number): boolean =>
  directions.has(wayIds[way]) || maneuvers.has(wayIds[way]);

/** By node of an extract. */
export interface RoadNodes {
  /** How many roads meet, up to three; the end of a road counts twice, because it is always a crossing. */
  readonly uses: Uint8Array;
  readonly flags: Uint8Array;
  /** Bits of `gateBit`. */
  readonly gates: Uint8Array;
  /** The parsed tags, for the next build. */
  readonly flagsOf: ReadonlyMap<Tags, number>;
}

export function readRoadNodes(
  { extract, nodeOf }: PlacedExtract,
  { readingOf }: ReadRoads,
  known: ReadonlyMap<Tags, number> | undefined,
  scratch: Scratch,
): RoadNodes {
  const uses = scratch.uint8('uses', extract.nodeIds.length).fill(0);
  const { firstRef } = extract;
  for (let way = 0; way < readingOf.length; way++)
    if (readingOf[way] >= 0) useNodes(uses, nodeOf, firstRef[way], firstRef[way + 1]);
  const flags = scratch.uint8('flags', uses.length).fill(0);
  const gates = scratch.uint8('gates', uses.length).fill(0);
  const flagsOf = new Map<Tags, number>();
  for (const [id, tags] of extract.nodeTags) {
    const said = known?.get(tags) ?? readFlags(tags);
    flagsOf.set(tags, said);
    const node = said === 0 ? -1 : nodeIndex(extract, id);
    if (node < 0 || uses[node] === 0) continue;
    flags[node] = said & 255;
    gates[node] = said >> 8;
    uses[node] = Math.min(3, uses[node] + 2);
  }
  return { uses, flags, gates, flagsOf };
}

/** Flags of a node, and above the lowest eight bits those of a private gate. */
function readFlags(tags: Tags): number {
  const highway = tags.get('highway') ?? '';
  let flags = highway === 'traffic_signals' ? nodeFlag.signal : 0;
  if (turningPlaces.includes(highway)) flags |= nodeFlag.turningPlace;
  if (limitsAtNode(tags) !== undefined) flags |= nodeFlag.limited;
  for (const [mode, profile] of profiles.entries()) {
    const { right, byName } = passageOf(tags, profile);
    if (right === 'closed') flags |= closedBit(mode);
    if (right === 'endsOnly') flags |= (byName ? gateBit.byName(mode) : gateBit.general(mode)) << 8;
  }
  return flags;
}

function useNodes(uses: Uint8Array, nodeOf: Int32Array, first: number, end: number): void {
  for (let i = first; i < end; i++) {
    const node = nodeOf[i];
    if (node < 0) continue;
    const isEnd = i === first || i === end - 1 || nodeOf[i - 1] < 0 || nodeOf[i + 1] < 0;
    uses[node] = Math.min(3, uses[node] + (isEnd ? 2 : 1));
  }
}

/** Where the way ends, as a way over a border needs one country. */
function countryOf(
  { firstRef, nodeLngE7, nodeLatE7 }: PlacedExtract['extract'],
  nodeOf: Int32Array,
  way: number,
): Country | undefined {
  let last = firstRef[way + 1] - 1;
  while (last >= firstRef[way] && nodeOf[last] < 0) last--;
  if (last < firstRef[way]) return undefined;
  return countryAt(nodeLngE7[nodeOf[last]], nodeLatE7[nodeOf[last]]);
}

function wayLength(
  { firstRef, nodeLngE7, nodeLatE7, wayTags }: PlacedExtract['extract'],
  nodeOf: Int32Array,
  way: number,
): number {
  // Only a ferry's duration needs the length of the whole way.
  if (!wayTags[way].has('duration')) return 0;
  let meters = 0;
  for (let i = firstRef[way] + 1; i < firstRef[way + 1]; i++) {
    const a = nodeOf[i - 1];
    const b = nodeOf[i];
    if (a >= 0 && b >= 0)
      meters += distanceM(nodeLngE7[a] / 1e7, nodeLatE7[a] / 1e7, nodeLngE7[b] / 1e7, nodeLatE7[b] / 1e7);
  }
  return meters;
}
