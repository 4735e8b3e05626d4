import { distanceM } from '#routing-engine/network/earth.js';
import { identityKey } from '../../index/place-identity.js';
import type { PlaceName } from '../../index/place-name.js';
import type { ChangedAreas } from '../gazetteer/changed-areas.js';
import type { FoldName } from '../gazetteer/fold-name.js';
import { boxOf, namesIn, newPlace, type Street, widen } from '../gazetteer/gazetteer.js';
import { areSame } from '../gazetteer/memo.js';
import { patchSorted } from '../gazetteer/patch-sorted.js';
import type { Road } from '../gazetteer/road.js';
import type { ExtractedFeatures } from './extracted-features.js';
import { StreetsByName } from './streets-by-name.js';
import type { Surroundings } from './surroundings.js';

/** Ways with one name within this distance are one street. */
const gapE7 = 30_000;

const classImportance: Readonly<Record<string, number>> = {
  motorway: 0.4,
  trunk: 0.4,
  primary: 0.38,
  secondary: 0.35,
  tertiary: 0.32,
  pedestrian: 0.32,
  residential: 0.28,
  unclassified: 0.28,
  living_street: 0.28,
};

/** All streets, and by name. */
export interface Streets {
  /** By their identity. */
  readonly all: readonly Street[];
  readonly byName: StreetsByName;
}

/** Groups roads with a name into streets; a street with unchanged roads and town is the same object. */
export class StreetCache {
  readonly #byRoadName = new Map<string, readonly Street[]>();
  readonly #byName = new StreetsByName();
  #all: readonly Street[] = [];

  /** `surroundings` separate streets of one name in adjacent places. */
  of(
    extracted: ExtractedFeatures,
    surroundings: Surroundings,
    ground: ChangedAreas,
    fold: FoldName,
  ): Streets {
    if (ground.isEverywhere) {
      this.#byRoadName.clear();
      this.#byName.clear();
      this.#all = [];
    }
    const gone: Street[] = [];
    const came: Street[] = [];
    for (const [name, roads] of this.#changedRoads(extracted, ground)) {
      const before = this.#byRoadName.get(name) ?? [];
      const streets = streetsOf(roads, surroundings, before, fold);
      if (streets.length === 0) this.#byRoadName.delete(name);
      else this.#byRoadName.set(name, streets);
      const [known, kept] = [new Set(before), new Set(streets)];
      for (const street of before) if (!kept.has(street)) gone.push(street);
      for (const street of streets) if (!known.has(street)) came.push(street);
    }
    this.#byName.patch(gone, came);
    this.#all = patchSorted(this.#all, gone, came, ({ key }) => key);
    return { all: this.#all, byName: this.#byName };
  }

  /** By name, all roads of names with an added or removed road, or one that may be in another town. */
  #changedRoads(
    { roads, addedRoads, removedRoads }: ExtractedFeatures,
    ground: ChangedAreas,
  ): ReadonlyMap<string, Road[]> {
    const gone = new Set(removedRoads);
    const changed = new Map<string, Road[]>();
    const roadsNamed = (name: string): Road[] => {
      let alike = changed.get(name);
      if (alike === undefined) {
        const known = this.#byRoadName.get(name) ?? [];
        alike = known.flatMap(({ road }) => road.roads.filter((each) => !gone.has(each)));
        changed.set(name, alike);
      }
      return alike;
    };
    for (const road of ground.isEverywhere ? roads : addedRoads)
      if (road.streetName !== '') roadsNamed(road.streetName).push(road);
    if (ground.isEverywhere) return changed;
    for (const { streetName } of removedRoads) if (streetName !== '') roadsNamed(streetName);
    if (!ground.isNowhere)
      for (const { box, road } of this.#all) if (ground.touches(box)) roadsNamed(road.on.streetName);
    return changed;
  }
}

/** Streets equal to those in `before` are the same objects. */
function streetsOf(
  roads: readonly Road[],
  surroundings: Surroundings,
  before: readonly Street[],
  fold: FoldName,
): Street[] {
  const bySettlement = new Map<number | undefined, Road[]>();
  for (const road of roads) {
    const settlement = settlementOf(road, surroundings);
    const group = bySettlement.get(settlement);
    if (group === undefined) bySettlement.set(settlement, [road]);
    else group.push(road);
  }
  const known = new Map(before.map((street) => [street.road.roads[0], street]));
  const streets: Street[] = [];
  for (const [settlement, group] of bySettlement)
    for (const each of clusters(group)) {
      const last = known.get(each[0]);
      const isSame = last?.settlement === settlement && areSame(last?.road.roads ?? [], each);
      streets.push(last !== undefined && isSame ? last : streetOf(each, settlement, fold));
    }
  return streets;
}

/** The town of its middle point. */
function settlementOf({ way: { lngLatE7 } }: Road, surroundings: Surroundings): number | undefined {
  const at = 2 * Math.floor(lngLatE7.length / 4);
  return surroundings.settlementOf(lngLatE7[at], lngLatE7[at + 1]);
}

/** Splits roads into connected groups, from west to east so that few pairs are compared. */
function clusters(roads: readonly Road[]): (readonly Road[])[] {
  if (roads.length === 1) return [roads];
  const items = roads
    .map((road) => ({ road, box: boxOf(road.way.lngLatE7) }))
    .sort((a, b) => a.box[0] - b.box[0]);
  const root = items.map((_, index) => index);
  const find = (at: number): number => {
    let top = at;
    while (root[top] !== top) top = root[top] = root[root[top]];
    return top;
  };
  for (let i = 0; i < items.length; i++)
    for (let j = i - 1; j >= 0; j--) {
      const a = items[i].box;
      const b = items[j].box;
      if (b[2] + gapE7 < a[0]) continue;
      if (a[1] - gapE7 <= b[3] && b[1] - gapE7 <= a[3]) root[find(i)] = find(j);
    }
  const groups = new Map<number, Road[]>();
  items.forEach(({ road }, index) => {
    const top = find(index);
    const group = groups.get(top);
    if (group === undefined) groups.set(top, [road]);
    else group.push(road);
  });
  return Array.from(groups.values(), (group) => group.sort((a, b) => a.way.id - b.way.id));
}

/** `roads` ascend by the ids of their ways. */
function streetOf(roads: readonly Road[], settlement: number | undefined, fold: FoldName): Street {
  const box = boxOf(roads[0].way.lngLatE7);
  for (let i = 1; i < roads.length; i++) widen(box, boxOf(roads[i].way.lngLatE7));
  const names = namesOf(roads);
  const { at, lngE7, latE7 } = nearestVertex(roads, (box[0] + box[2]) / 2, (box[1] + box[3]) / 2);
  const category = mostUsed(roads);
  return newPlace({
    kind: 'street',
    category,
    names,
    lngE7,
    latE7,
    box,
    key: identityKey('street', roads[0].way.id),
    importance: classImportance[category] ?? 0.2,
    postcode: roads.find(({ way }) => way.tags.has('postal_code'))?.way.tags.get('postal_code') ?? '',
    settlement,
    road: {
      roads,
      on: roads[at],
      folded: names.length === 1 ? [fold(names[0].text)] : [...new Set(names.map(({ text }) => fold(text)))],
    },
  }) as Street;
}

/** Pieces of one street may have different further names; the local name is that of the first. */
function namesOf(roads: readonly Road[]): readonly PlaceName[] {
  const names: PlaceName[] = [];
  const add = ({ language, text }: PlaceName): void => {
    for (const each of names)
      if (each.language === language && (each.text === text || language === '')) return;
    if (language === '') names.unshift({ language, text });
    else names.push({ language, text });
  };
  for (const { way } of roads) {
    for (const name of namesIn(way.tags)) add(name);
    const refs = way.tags.get('ref');
    if (refs !== undefined) for (const ref of refs.split(';')) add({ language: '*', text: ref.trim() });
  }
  return names;
}

function mostUsed(roads: readonly Road[]): string {
  const first = classOf(roads[0]);
  if (roads.every((road) => classOf(road) === first)) return first;
  const metres = new Map<string, number>();
  for (const road of roads) {
    const highway = classOf(road);
    metres.set(highway, (metres.get(highway) ?? 0) + lengthM(road.way.lngLatE7));
  }
  let most = '';
  for (const [highway, length] of metres) if (length > (metres.get(most) ?? -1)) most = highway;
  return most;
}

function classOf({ way }: Road): string {
  const highway = way.tags.get('highway') ?? '';
  return highway.endsWith('_link') ? highway.slice(0, -'_link'.length) : highway;
}

function lengthM(line: Int32Array): number {
  let metres = 0;
  for (let i = 2; i < line.length; i += 2)
    metres += distanceM(line[i - 2] / 1e7, line[i - 1] / 1e7, line[i] / 1e7, line[i + 1] / 1e7);
  return metres;
}

/** `at` is the index of its way. */
function nearestVertex(
  roads: readonly Road[],
  lngE7: number,
  latE7: number,
): { readonly at: number; readonly lngE7: number; readonly latE7: number } {
  let best = 0;
  let vertex = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let at = 0; at < roads.length; at++) {
    const { lngLatE7 } = roads[at].way;
    for (let i = 0; i < lngLatE7.length; i += 2) {
      const square = (lngLatE7[i] - lngE7) ** 2 + (lngLatE7[i + 1] - latE7) ** 2;
      if (square >= least) continue;
      least = square;
      best = at;
      vertex = i;
    }
  }
  const { lngLatE7 } = roads[best].way;
  return { at: best, lngE7: lngLatE7[vertex], latE7: lngLatE7[vertex + 1] };
}
