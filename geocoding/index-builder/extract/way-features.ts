import type { TaggedWay } from '#osm/elements/map-elements.js';
import { indexIn, patchSorted } from '../gazetteer/patch-sorted.js';
import type { Road } from '../gazetteer/road.js';
import { unchangedRanges } from '../gazetteer/unchanged-ranges.js';
import type { ExtractedFeature } from './extracted-feature.js';

/** What one way describes. */
export interface WayContents {
  readonly feature: ExtractedFeature | undefined;
  readonly road: Road | undefined;
  /** A line of `addr:interpolation`. */
  readonly isLine: boolean;
}

interface WayFeature {
  readonly way: TaggedWay;
  readonly feature: ExtractedFeature;
}

/** The features of all ways, in the order of their ids. */
export class WayFeatures {
  #ways: readonly TaggedWay[] = [];
  features: readonly WayFeature[] = [];
  roads: readonly Road[] = [];
  lines: readonly TaggedWay[] = [];
  addedRoads: readonly Road[] = [];
  removedRoads: readonly Road[] = [];
  /** Ids of ways that were added, removed or changed; none the first time. */
  changedIds: ReadonlySet<number> = new Set();

  /** `extract` must depend only on the way, and on what `stays` checks where it is given. */
  update(
    ways: readonly TaggedWay[],
    extract: (way: TaggedWay) => WayContents | undefined,
    stays?: (feature: ExtractedFeature) => boolean,
  ): void {
    const before = this.#ways;
    const [gone, came] = between(before, ways);
    this.#ways = ways;
    this.changedIds = new Set(before.length === 0 ? [] : [...gone, ...came].map(idOf));
    if (stays !== undefined)
      for (const { way, feature } of this.features)
        if (!stays(feature) && !this.changedIds.has(way.id)) for (const list of [gone, came]) list.push(way);

    const features: WayFeature[] = [];
    const roads: Road[] = [];
    const lines: TaggedWay[] = [];
    for (const way of came) {
      const contents = extract(way);
      if (contents === undefined) continue;
      if (contents.feature !== undefined) features.push({ way, feature: contents.feature });
      if (contents.road !== undefined) roads.push(contents.road);
      if (contents.isLine) lines.push(way);
    }
    this.addedRoads = roads;
    this.removedRoads = gone.flatMap(({ id }) => withId(this.roads, id, idOfRoad) ?? []);
    this.roads = patchSorted(this.roads, this.removedRoads, roads, idOfRoad);
    this.features = patchSorted(
      this.features,
      gone.flatMap(({ id }) => withId(this.features, id, idOfFeature) ?? []),
      features,
      idOfFeature,
    );
    this.lines = patchSorted(
      this.lines,
      gone.flatMap(({ id }) => withId(this.lines, id, idOf) ?? []),
      lines,
      idOf,
    );
  }
}

const idOf = ({ id }: TaggedWay): number => id;
const idOfRoad = ({ way }: Road): number => way.id;
const idOfFeature = ({ way }: WayFeature): number => way.id;

function withId<Element>(
  list: readonly Element[],
  id: number,
  identity: (element: Element) => number,
): Element | undefined {
  const element = list[indexIn(list, id, identity)];
  return element !== undefined && identity(element) === id ? element : undefined;
}

/** The previous objects that changed, and the new objects. */
function between(before: readonly TaggedWay[], now: readonly TaggedWay[]): [TaggedWay[], TaggedWay[]] {
  const gone: TaggedWay[] = [];
  const came: TaggedWay[] = [];
  let [at, i] = [0, 0];
  for (const stretch of [
    ...unchangedRanges(before, now, idOf),
    { before: before.length, now: now.length, length: 0 },
  ]) {
    while (at < stretch.before) gone.push(before[at++]!);
    while (i < stretch.now) came.push(now[i++]!);
    at += stretch.length;
    i += stretch.length;
  }
  return [gone, came];
}
