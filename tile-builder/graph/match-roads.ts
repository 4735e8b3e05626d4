import type { BuildMemory } from '#map-data/arrays/build-memory.js';
import { knownNodesOfRefs, nodeIndex, nodesOfRefs, type OsmExtract } from '#osm/elements/osm-extract.js';

/** An extract with the nodes that its ways lead over. */
export interface PlacedExtract {
  readonly extract: OsmExtract;
  /** [refs] index of the node, or -1 where the extract does not hold it. */
  readonly nodeOf: Int32Array;
}

/** An extract with that of the previous build. */
export interface MatchedExtract extends PlacedExtract {
  readonly before: PlacedExtract;
  /** [nodes before] index of the node of the same id, or -1. */
  readonly nodeNow: Int32Array;
  /** [ways] the way of the same id before, or -1. */
  readonly wayBefore: Int32Array;
  /** [ways] 1 where the way leads over the same nodes as before, at the same places. */
  readonly samePlaces: Uint8Array;
}

export const placeExtract = (extract: OsmExtract): PlacedExtract => ({
  extract: inOneShape(extract),
  nodeOf: nodesOfRefs(extract),
});

/** All extract objects need the same shape, so that code compiled for one build is valid for the next. */
const inOneShape = (extract: OsmExtract): OsmExtract => ({
  nodeIds: extract.nodeIds,
  nodeLngE7: extract.nodeLngE7,
  nodeLatE7: extract.nodeLatE7,
  nodeTags: extract.nodeTags,
  wayIds: extract.wayIds,
  wayTags: extract.wayTags,
  firstRef: extract.firstRef,
  refs: extract.refs,
  restrictions: extract.restrictions,
  directions: extract.directions,
  maneuvers: extract.maneuvers,
  areas: extract.areas,
});

/** One pass over ascending ids; an id out of order counts as new, which only costs time. */
export function matchExtract(
  source: OsmExtract,
  before: PlacedExtract,
  { scratch, kept }: BuildMemory,
): MatchedExtract {
  const extract = inOneShape(source);
  const { wayIds } = extract;
  const old = before.extract;
  const nodeNow = scratch.int32('nodeNow', old.nodeIds.length);
  const stays = scratch.uint8('nodeStays', old.nodeIds.length);
  matchNodes(old, extract, nodeNow, stays);
  const wayBefore = scratch.int32('wayBefore', wayIds.length);
  matchWays(old.wayIds, wayIds, wayBefore);
  const nodeOf =
    knownNodesOfRefs(extract) ??
    nodesBeside(extract, before, nodeNow, wayBefore, kept.int32('nodeOf', extract.refs.length));
  const samePlaces = scratch.uint8('samePlaces', wayIds.length);
  for (let way = 0; way < wayIds.length; way++)
    samePlaces[way] = isAtSamePlaces(extract, nodeOf, way, before, wayBefore[way], stays) ? 1 : 0;
  return { extract, nodeOf, before, nodeNow, wayBefore, samePlaces };
}

/** The current index of each previous node, or -1; and 1 if it is at the same position. */
function matchNodes(old: OsmExtract, now: OsmExtract, nodeNow: Int32Array, stays: Uint8Array): void {
  const { nodeIds, nodeLngE7, nodeLatE7 } = now;
  const count = nodeIds.length;
  const ids = old.nodeIds;
  const lngs = old.nodeLngE7;
  const lats = old.nodeLatE7;
  let at = 0;
  for (let i = 0; i < ids.length; i++) {
    while (at < count && nodeIds[at] < ids[i]) at++;
    const isThere = at < count && nodeIds[at] === ids[i];
    nodeNow[i] = isThere ? at : -1;
    stays[i] = isThere && nodeLngE7[at] === lngs[i] && nodeLatE7[at] === lats[i] ? 1 : 0;
    if (isThere) at++;
  }
}

/** By way the one of the same id before, or -1. */
function matchWays(old: Float64Array, wayIds: Float64Array, wayBefore: Int32Array): void {
  let other = 0;
  for (let way = 0; way < wayIds.length; way++) {
    while (other < old.length && old[other] < wayIds[way]) other++;
    wayBefore[way] = other < old.length && old[other] === wayIds[way] ? other++ : -1;
  }
}

function isAtSamePlaces(
  { firstRef, refs }: OsmExtract,
  nodeOf: Int32Array,
  way: number,
  before: PlacedExtract,
  other: number,
  stays: Uint8Array,
): boolean {
  if (other < 0) return false;
  const old = before.extract;
  const first = firstRef[way];
  const end = firstRef[way + 1];
  const shift = old.firstRef[other] - first;
  if (old.firstRef[other + 1] - shift !== end) return false;
  for (let at = first; at < end; at++) {
    if (refs[at] !== old.refs[at + shift]) return false;
    const was = before.nodeOf[at + shift];
    if (was < 0 ? nodeOf[at] >= 0 : stays[was] === 0) return false;
  }
  return true;
}

/** Fills the node of each entry of `refs`, from the previous build if the way has the same nodes. */
function nodesBeside(
  { firstRef, refs, nodeIds, wayIds }: OsmExtract,
  before: PlacedExtract,
  nodeNow: Int32Array,
  wayBefore: Int32Array,
  nodeOf: Int32Array,
): Int32Array {
  const old = before.extract;
  for (let way = 0; way < wayIds.length; way++) {
    const other = wayBefore[way];
    const shift = other < 0 ? 0 : old.firstRef[other] - firstRef[way];
    for (let at = firstRef[way]; at < firstRef[way + 1]; at++) {
      const was = refs[at] === old.refs[at + shift] ? before.nodeOf[at + shift] : -1;
      nodeOf[at] = was < 0 ? nodeIndex({ nodeIds }, refs[at]) : nodeNow[was];
    }
  }
  return nodeOf;
}

/** Whether the input of the roads is unchanged. */
export function isSameExtract({ extract, before, wayBefore, samePlaces }: MatchedExtract): boolean {
  const old = before.extract;
  const { wayTags, restrictions, nodeTags, directions, maneuvers } = extract;
  if (
    wayTags.length !== old.wayTags.length ||
    restrictions.length !== old.restrictions.length ||
    nodeTags.size !== old.nodeTags.size ||
    directions.size !== old.directions.size ||
    maneuvers.size !== old.maneuvers.size
  )
    return false;
  for (let way = 0; way < wayTags.length; way++)
    if (wayBefore[way] !== way || samePlaces[way] === 0 || wayTags[way] !== old.wayTags[way]) return false;
  for (let i = 0; i < restrictions.length; i++) if (restrictions[i] !== old.restrictions[i]) return false;
  for (const [id, tags] of nodeTags) if (old.nodeTags.get(id) !== tags) return false;
  for (const [id, text] of directions) if (old.directions.get(id) !== text) return false;
  for (const [id, text] of maneuvers) if (old.maneuvers.get(id) !== text) return false;
  return true;
}
