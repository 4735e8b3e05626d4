import type { ChangedNode, ChangedWay, OsmChange } from '#osm/change/osm-change.js';
import type { Tags } from '#schemas/osm-sink.js';
import type { ChangingMap } from './changing-map.js';

/** Where the changed ways are: anywhere, or near each other as in one mapper's edits. */
export type Spread = 'random' | 'clustered';

/** Of four changed ways, two get another name or speed, one is moved by some metres, one is removed. */
export function changeWays(map: ChangingMap, spread: Spread, count: number, random: () => number): OsmChange {
  const nodes = new Map<number, ChangedNode>();
  const ways = new Map<number, ChangedWay | null>();
  for (const [i, id] of [...chosen(map, spread, count, random)].entries()) {
    const { refs, tags } = map.ways.get(id)!;
    const how = i % 4;
    if (how === 3) ways.set(id, null);
    else if (how < 2) ways.set(id, { refs, tags: renamed(tags, id) });
    else
      for (const ref of refs) {
        const node = map.nodes.get(ref);
        if (node !== undefined) nodes.set(ref, { ...node, latE7: node.latE7 + 400 });
      }
  }
  return { nodes, ways, relations: new Map() };
}

function chosen(map: ChangingMap, spread: Spread, count: number, random: () => number): Set<number> {
  const ids = [...map.ways.keys()];
  const any = (): number => ids[Math.floor(random() * ids.length)]!;
  const some = new Set<number>();
  if (spread === 'random') {
    while (some.size < Math.min(count, ids.length)) some.add(any());
    return some;
  }
  const start = (id: number): ChangedNode | undefined => map.nodes.get(map.ways.get(id)!.refs[0]!);
  const { lngE7 = 0, latE7 = 0 } = start(any()) ?? {};
  const away = new Map(
    ids.map((id) => {
      const at = start(id);
      return [
        id,
        at === undefined ? Number.POSITIVE_INFINITY : Math.hypot(at.lngE7 - lngE7, at.latE7 - latE7),
      ];
    }),
  );
  ids.sort((a, b) => away.get(a)! - away.get(b)!);
  return new Set(ids.slice(0, count));
}

function renamed(tags: Tags, id: number): Tags {
  const changed = new Map(tags);
  if (tags.has('maxspeed')) changed.set('maxspeed', tags.get('maxspeed') === '30' ? '50' : '30');
  else changed.set('name', tags.get('name') === `Renamed ${id}` ? `Renamed ${id} again` : `Renamed ${id}`);
  return changed;
}
