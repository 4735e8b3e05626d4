import type { OsmMember, Tags } from '#schemas/osm-sink.js';
import { IdIndex } from './id-index.js';

/** The part of an extract for routing: roads and ferries, their nodes, and turn restrictions. */
export interface OsmExtract {
  /** All nodes, ascending by id. */
  readonly nodeIds: Float64Array;
  readonly nodeLngE7: Int32Array;
  readonly nodeLatE7: Int32Array;
  /** Tags of nodes with a barrier, a signal or an access rule, by id. */
  readonly nodeTags: ReadonlyMap<number, Tags>;
  readonly wayIds: Float64Array;
  readonly wayTags: readonly Tags[];
  /** [ways+1] first entry of each way in `refs`. */
  readonly firstRef: Uint32Array;
  /** Node ids. */
  readonly refs: Float64Array;
  readonly restrictions: readonly RestrictionRelation[];
  /** By way the signed directions of its numbers, as `routeDirections` gives them. */
  readonly directions: ReadonlyMap<number, string>;
  /** By way the instructions that relations state, as `statedManeuvers` gives them. */
  readonly maneuvers: ReadonlyMap<number, string>;
  readonly areas: readonly OpenArea[];
}

/** A square, platform or other area that is a road: people may walk all over it. */
export interface OpenArea {
  readonly tags: Tags;
  /** The closed way, or of a multipolygon the lowest id of its outlines. */
  readonly wayId: number;
  /** How many of the ways come before that way, and with it. */
  readonly waysBefore: number;
  /** The ways of its outlines and holes. */
  readonly wayIds: readonly number[];
  /** Outlines and holes as indices of nodes; the last node leads to the first. */
  readonly rings: readonly Int32Array[];
}

const ferryRoutes = new Set(['ferry', 'shuttle_train']);

/** A ferry, or a train that carries vehicles. */
export const isFerry = (tags: Tags): boolean =>
  !tags.has('highway') && ferryRoutes.has(tags.get('route') ?? '');

/** The kind of road of a way: `highway`, or what people walk on under another key. Undefined: none. */
export function roadKind(tags: Tags): string | undefined {
  const highway = tags.get('highway');
  if (highway !== undefined) return highway;
  if (tags.get('man_made') === 'pier') return 'pier';
  const isPlatform = tags.get('railway') === 'platform' || tags.get('public_transport') === 'platform';
  return isPlatform ? 'platform' : undefined;
}

export const isRoad = (nodes: number, tags: Tags): boolean =>
  nodes >= 2 && (roadKind(tags) !== undefined || isFerry(tags));
export const isRoadNode = (tags: Tags): boolean => tags.has('barrier') || tags.has('highway');
export const isRestriction = (tags: Tags): boolean => tags.get('type')?.startsWith('restriction') === true;

/** Numbered routes over roads, whose signs may say a direction. */
export const isRoadRoute = (tags: Tags): boolean =>
  tags.get('type') === 'route' && tags.get('route') === 'road';
export const isOpenWay = (tags: Tags): boolean => tags.get('area') === 'yes' && roadKind(tags) !== undefined;
export const isOpenRelation = (tags: Tags): boolean =>
  tags.get('type') === 'multipolygon' && tags.get('area') !== 'no' && roadKind(tags) !== undefined;

export interface RestrictionRelation {
  readonly id: number;
  readonly members: readonly OsmMember[];
  readonly tags: Tags;
}

/** Index of a node, or -1 if the extract lacks it. */
export function nodeIndex({ nodeIds }: Pick<OsmExtract, 'nodeIds'>, id: number): number {
  let low = 0;
  let high = nodeIds.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const found = nodeIds[middle]!;
    if (found === id) return middle;
    if (found < id) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

const nodesBefore = new WeakMap<
  Float64Array,
  { readonly nodeIds: Float64Array; readonly nodes: Int32Array }
>();

/** Stores the result of `nodesOfRefs` in advance. */
export function rememberNodesOfRefs(
  { refs, nodeIds }: Pick<OsmExtract, 'refs' | 'nodeIds'>,
  nodes: Int32Array,
): void {
  nodesBefore.set(refs, { nodeIds, nodes });
}

/** The stored result of `nodesOfRefs`, if there is one. */
export function knownNodesOfRefs({
  refs,
  nodeIds,
}: Pick<OsmExtract, 'refs' | 'nodeIds'>): Int32Array | undefined {
  const known = nodesBefore.get(refs);
  return known?.nodeIds === nodeIds ? known.nodes : undefined;
}

/** [refs] index of the node of each entry of `refs`, or -1. */
export function nodesOfRefs({ refs, nodeIds }: Pick<OsmExtract, 'refs' | 'nodeIds'>): Int32Array {
  const known = knownNodesOfRefs({ refs, nodeIds });
  if (known !== undefined) return known;
  const nodes = new Int32Array(refs.length);
  nodesBefore.set(refs, { nodeIds, nodes });
  const index = new IdIndex(nodeIds);
  let last = -1;
  for (let i = 0; i < refs.length; i++) {
    // The nodes of a way mostly have consecutive ids.
    if (nodeIds[last + 1] === refs[i]) last++;
    else if (last > 0 && nodeIds[last - 1] === refs[i]) last--;
    else {
      const found = index.find(refs[i]!);
      nodes[i] = found;
      if (found >= 0) last = found;
      continue;
    }
    nodes[i] = last;
  }
  return nodes;
}
