import type { OsmSink, Tags } from '#tile-builder/osm/osm-sink.js';

/** How the changed ways lie: anywhere, or near one another as after a mapper's afternoon. */
export type Spread = 'random' | 'clustered';

interface Way {
  readonly id: number;
  readonly refs: readonly number[];
  readonly tags: Tags;
}

/**
 * An extract in memory of which a share of the ways can be changed: of four changed ways two get another name or speed, one is moved
 * by some metres, one is gone.
 */
export class ChangedExtract {
  readonly #nodes: { id: number; lng: number; lat: number; tags: Tags | undefined }[] = [];
  readonly #ways: Way[] = [];
  readonly #relations: Parameters<OsmSink['relation']>[] = [];

  readonly sink: OsmSink = {
    node: (id, lng, lat, tags) => void this.#nodes.push({ id, lng, lat, tags }),
    way: (id, refs, tags) => void this.#ways.push({ id, refs: [...refs], tags }),
    relation: (...relation) => void this.#relations.push(relation),
  };

  get ways(): number {
    return this.#ways.length;
  }

  /** Plays the extract with `count` ways changed; none for 0. */
  read(sink: OsmSink, spread: Spread, count: number, random: () => number): void {
    const chosen = new Map([...this.#chosen(spread, count, random)].map((at, i) => [at, i % 4]));
    const moved = new Set<number>();
    for (const [at, how] of chosen) if (how === 2) for (const ref of this.#ways[at]!.refs) moved.add(ref);
    for (const { id, lng, lat, tags } of this.#nodes)
      sink.node(id, lng, moved.has(id) ? lat + 400 : lat, tags);
    for (const [at, { id, refs, tags }] of this.#ways.entries()) {
      const how = chosen.get(at);
      if (how === 3) continue;
      sink.way(id, refs, how === undefined || how === 2 ? tags : renamed(tags, id));
    }
    for (const relation of this.#relations) sink.relation(...relation);
  }

  #chosen(spread: Spread, count: number, random: () => number): Set<number> {
    const chosen = new Set<number>();
    if (spread === 'random') {
      while (chosen.size < count) chosen.add(Math.floor(random() * this.#ways.length));
      return chosen;
    }
    const places = new Map(this.#nodes.map(({ id, lng, lat }) => [id, [lng, lat] as const]));
    const at = this.#ways.map(({ refs }) => places.get(refs[0]!) ?? [0, 0]);
    const [lng, lat] = at[Math.floor(random() * at.length)]!;
    const distance = (i: number): number => Math.hypot(at[i]![0] - lng, at[i]![1] - lat);
    for (const i of at
      .map((_, index) => index)
      .toSorted((a, b) => distance(a) - distance(b))
      .slice(0, count))
      chosen.add(i);
    return chosen;
  }
}

function renamed(tags: Tags, id: number): Tags {
  const changed = new Map(tags);
  if (tags.has('maxspeed')) changed.set('maxspeed', tags.get('maxspeed') === '30' ? '50' : '30');
  else changed.set('name', `Renamed ${id}`);
  return changed;
}
