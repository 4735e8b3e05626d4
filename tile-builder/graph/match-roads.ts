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
  const { wayIds, firstRef, refs, nodeLngE7, nodeLatE7 } = extract;
  const old = before.extract;
  const nodeNow = placesOf(old.nodeIds, extract.nodeIds);
  const wayBefore = new Int32Array(wayIds.length).fill(-1);
  const samePlaces = new Uint8Array(wayIds.length);
  const nodeOf = new Int32Array(refs.length);
  let other = 0;
  for (let way = 0; way < wayIds.length; way++) {
    while (old.wayIds[other] < wayIds[way]) other++;
    const first = firstRef[way];
    const count = firstRef[way + 1] - first;
    let matched = 0;
    if (old.wayIds[other] === wayIds[way]) {
      wayBefore[way] = other;
      const from = old.firstRef[other];
      let same = old.firstRef[other + 1] - from === count ? 1 : 0;
      for (; same === 1 && matched < count; matched++) {
        if (refs[first + matched] !== old.refs[from + matched]) break;
        const was = before.nodeOf[from + matched];
        const node = was < 0 ? nodeIndex(extract, refs[first + matched]) : nodeNow[was];
        nodeOf[first + matched] = node;
        const moved =
          node < 0 || was < 0
            ? node !== was
            : nodeLngE7[node] !== old.nodeLngE7[was] || nodeLatE7[node] !== old.nodeLatE7[was];
        if (moved) same = 0;
      }
      samePlaces[way] = same === 1 && matched === count ? 1 : 0;
      other++;
    }
    for (; matched < count; matched++) nodeOf[first + matched] = nodeIndex(extract, refs[first + matched]);
  }
  return { extract, nodeOf, before, nodeNow, wayBefore, samePlaces };
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
