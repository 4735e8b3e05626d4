import { nodeIndex, nodesOfRefs, type OsmExtract } from '../osm/osm-extract.js';

/** An extract with the nodes that its ways lead over. */
export interface PlacedExtract {
  readonly extract: OsmExtract;
  /** [refs] index of the node, or -1 where the extract does not hold it. */
  readonly nodeOf: Int32Array;
}

/** An extract beside the one of the build before. */
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

/** Extracts come from several hands; code that was compiled for one build fits the next when all have the same shape. */
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
});

/** One pass over ids that ascend; what is out of order counts as new, which costs time alone. */
export function matchExtract(source: OsmExtract, before: PlacedExtract): MatchedExtract {
  const extract = inOneShape(source);
  const { wayIds } = extract;
  const matched = {
    extract,
    nodeOf: new Int32Array(extract.refs.length),
    before,
    nodeNow: placesOf(before.extract.nodeIds, extract.nodeIds),
    wayBefore: new Int32Array(wayIds.length).fill(-1),
    samePlaces: new Uint8Array(wayIds.length),
  };
  const old = before.extract.wayIds;
  let other = 0;
  for (let way = 0; way < wayIds.length; way++) {
    while (old[other] < wayIds[way]) other++;
    if (old[other] === wayIds[way]) matched.wayBefore[way] = other++;
    matchWay(matched, way);
  }
  return matched;
}

/** Finds the nodes of a way, and whether they are where they were. */
function matchWay(matched: MatchedExtract, way: number): void {
  const { extract, before, nodeOf, nodeNow, wayBefore } = matched;
  const { firstRef, refs, nodeLngE7, nodeLatE7 } = extract;
  const old = before.extract;
  const other = wayBefore[way];
  const first = firstRef[way];
  const end = firstRef[way + 1];
  const shift = other < 0 ? 0 : old.firstRef[other] - first;
  let same = other >= 0 && old.firstRef[other + 1] - shift === end;
  let at = first;
  for (; same && at < end && refs[at] === old.refs[at + shift]; at++) {
    const was = before.nodeOf[at + shift];
    const node = was < 0 ? nodeIndex(extract, refs[at]) : nodeNow[was];
    nodeOf[at] = node;
    same =
      node < 0 || was < 0
        ? node === was
        : nodeLngE7[node] === old.nodeLngE7[was] && nodeLatE7[node] === old.nodeLatE7[was];
  }
  if (same && at === end) matched.samePlaces[way] = 1;
  for (; at < end; at++) nodeOf[at] = nodeIndex(extract, refs[at]);
}

/** Where each of the ids lies in `among`, or -1; both ascend. */
function placesOf(ids: Float64Array, among: Float64Array): Int32Array {
  const places = new Int32Array(ids.length);
  let at = 0;
  for (let i = 0; i < ids.length; i++) {
    while (among[at] < ids[i]) at++;
    places[i] = among[at] === ids[i] ? at++ : -1;
  }
  return places;
}

/** Whether nothing changed that roads are made of. */
export function isSameExtract({ extract, before, wayBefore, samePlaces }: MatchedExtract): boolean {
  const old = before.extract;
  const { wayTags, restrictions, nodeTags } = extract;
  if (
    wayTags.length !== old.wayTags.length ||
    restrictions.length !== old.restrictions.length ||
    nodeTags.size !== old.nodeTags.size
  )
    return false;
  for (let way = 0; way < wayTags.length; way++)
    if (wayBefore[way] !== way || samePlaces[way] === 0 || wayTags[way] !== old.wayTags[way]) return false;
  for (let i = 0; i < restrictions.length; i++) if (restrictions[i] !== old.restrictions[i]) return false;
  for (const [id, tags] of nodeTags) if (old.nodeTags.get(id) !== tags) return false;
  return true;
}
