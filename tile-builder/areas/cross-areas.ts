import type { BuildMemory } from '#map-data/arrays/build-memory.js';
import { countryAt } from '#osm/countries/country-at.js';
import {
  nodesOfRefs,
  type OpenArea,
  type OsmExtract,
  rememberNodesOfRefs,
} from '#osm/elements/osm-extract.js';
import { RulesReader } from '#osm/profiles/rules-reader.js';
import { modeIndex } from '#routing-engine/network/travel-mode.js';
import type { Tags } from '#schemas/osm-sink.js';
import { linesAcross } from './lines-across.js';
import { walkerTags } from './walker-tags.js';

const walking = modeIndex('walking');

/** Lines across one area, as ways of two nodes each. */
interface CrossedArea extends OpenArea {
  readonly lines: readonly (readonly [number, number])[];
}

/**
 * Adds a way for each line on which people cross an area: straight between the places where they enter it,
 * and around its corners and holes. The ways have the id of the area's way and come right after it.
 */
export function crossAreas(extract: OsmExtract, memory: BuildMemory): OsmExtract {
  const { areas } = extract;
  if (areas.length === 0) return extract;
  const reader = new RulesReader();
  const isWalked = (tags: Tags, node: number): boolean => {
    const rules = reader.read(tags, 0, countryAt(extract.nodeLngE7[node], extract.nodeLatE7[node]));
    return rules !== undefined && (rules.forwardKph[walking] > 0 || rules.backwardKph[walking] > 0);
  };
  const open = areas.filter(({ tags, rings }) => isWalked(walkerTags(tags), rings[0][0]));
  const users = usersOfOutlines(extract, open, isWalked, memory);
  const crossed = open
    .map((area) => ({ ...area, lines: linesAcross(extract, area, users) }))
    .filter(({ lines }) => lines.length > 0);
  return crossed.length === 0 ? extract : withLines(extract, crossed, memory);
}

/** By node of an outline, the ways that people walk there, and the areas. */
function usersOfOutlines(
  extract: OsmExtract,
  areas: readonly OpenArea[],
  isWalked: (tags: Tags, node: number) => boolean,
  { scratch }: BuildMemory,
): ReadonlyMap<number, ReadonlySet<number | OpenArea>> {
  const users = new Map<number, Set<number | OpenArea>>();
  const isOutline = scratch.uint8('outlines', extract.nodeIds.length).fill(0);
  for (const area of areas)
    for (const ring of area.rings)
      for (const node of ring) {
        isOutline[node] = 1;
        const there = users.get(node);
        if (there === undefined) users.set(node, new Set([area]));
        else there.add(area);
      }
  const { firstRef, wayIds, wayTags } = extract;
  const nodeOf = nodesOfRefs(extract);
  for (let way = 0; way < wayTags.length; way++) {
    let isOpen: boolean | undefined;
    for (let ref = firstRef[way]; ref < firstRef[way + 1]; ref++) {
      const node = nodeOf[ref];
      if (node < 0 || isOutline[node] === 0) continue;
      isOpen ??= isWalked(wayTags[way], node);
      if (!isOpen) break;
      users.get(node)!.add(wayIds[way]);
    }
  }
  return users;
}

function withLines(extract: OsmExtract, areas: readonly CrossedArea[], { kept }: BuildMemory): OsmExtract {
  const { wayIds, wayTags, firstRef, refs, nodeIds } = extract;
  const nodeOf = nodesOfRefs(extract);
  const count = areas.reduce((sum, { lines }) => sum + lines.length, 0);
  const ways = wayTags.length + count;
  const entries = refs.length + 2 * count;
  const now = {
    wayIds: kept.float64('crossed wayIds', ways),
    firstRef: kept.uint32('crossed firstRef', ways + 1),
    refs: kept.float64('crossed refs', entries),
  };
  const nodes = kept.int32('crossed nodeOf', entries);
  const tags: Tags[] = [];
  let way = 0;
  let at = 0;
  const copyUntil = (end: number): void => {
    now.refs.set(refs.subarray(firstRef[way], firstRef[end]), at);
    nodes.set(nodeOf.subarray(firstRef[way], firstRef[end]), at);
    for (; way < end; way++) {
      now.wayIds[tags.length] = wayIds[way];
      now.firstRef[tags.length] = at;
      tags.push(wayTags[way]);
      at += firstRef[way + 1] - firstRef[way];
    }
  };
  for (const { waysBefore, wayId, tags: ofArea, lines } of areas) {
    copyUntil(waysBefore);
    for (const line of lines) {
      now.wayIds[tags.length] = wayId;
      now.firstRef[tags.length] = at;
      tags.push(walkerTags(ofArea));
      for (const node of line) {
        now.refs[at] = nodeIds[node];
        nodes[at++] = node;
      }
    }
  }
  copyUntil(wayTags.length);
  now.firstRef[ways] = at;
  const crossed = { ...extract, ...now, wayTags: tags };
  rememberNodesOfRefs(crossed, nodes);
  return crossed;
}
