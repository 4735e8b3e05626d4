import type { TaggedWay } from '#osm/elements/map-elements.js';
import type { Finding } from './finding.js';
import { indexIn, patchSorted } from './patch-sorted.js';
import type { Road } from './road.js';
import { sameStretches } from './same-stretches.js';

/** What one way tells. */
export interface ToldByWay {
  readonly finding: Finding | undefined;
  readonly road: Road | undefined;
  /** A line of `addr:interpolation`. */
  readonly isLine: boolean;
}

interface WayFinding {
  readonly way: TaggedWay;
  readonly finding: Finding;
}

/** Of all ways those that tell something, in the order of their ids. */
export class TellingWays {
  #ways: readonly TaggedWay[] = [];
  findings: readonly WayFinding[] = [];
  roads: readonly Road[] = [];
  lines: readonly TaggedWay[] = [];
  cameRoads: readonly Road[] = [];
  goneRoads: readonly Road[] = [];
  /** Ids of ways that came, went or are others; none the first time. */
  changedIds: ReadonlySet<number> = new Set();

  /** What is told must follow from the way, and from what `stays` answers for where it is given. */
  update(
    ways: readonly TaggedWay[],
    tell: (way: TaggedWay) => ToldByWay | undefined,
    stays?: (finding: Finding) => boolean,
  ): void {
    const before = this.#ways;
    const [gone, came] = between(before, ways);
    this.#ways = ways;
    this.changedIds = new Set(before.length === 0 ? [] : [...gone, ...came].map(idOf));
    if (stays !== undefined)
      for (const { way, finding } of this.findings)
        if (!stays(finding) && !this.changedIds.has(way.id)) for (const list of [gone, came]) list.push(way);

    const findings: WayFinding[] = [];
    const roads: Road[] = [];
    const lines: TaggedWay[] = [];
    for (const way of came) {
      const told = tell(way);
      if (told === undefined) continue;
      if (told.finding !== undefined) findings.push({ way, finding: told.finding });
      if (told.road !== undefined) roads.push(told.road);
      if (told.isLine) lines.push(way);
    }
    this.cameRoads = roads;
    this.goneRoads = gone.flatMap(({ id }) => withId(this.roads, id, idOfRoad) ?? []);
    this.roads = patchSorted(this.roads, this.goneRoads, roads, idOfRoad);
    this.findings = patchSorted(
      this.findings,
      gone.flatMap(({ id }) => withId(this.findings, id, idOfFinding) ?? []),
      findings,
      idOfFinding,
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
const idOfFinding = ({ way }: WayFinding): number => way.id;

function withId<Element>(
  list: readonly Element[],
  id: number,
  identity: (element: Element) => number,
): Element | undefined {
  const element = list[indexIn(list, id, identity)];
  return element !== undefined && identity(element) === id ? element : undefined;
}

/** Those of before that are not the same objects now, and those that were not there. */
function between(before: readonly TaggedWay[], now: readonly TaggedWay[]): [TaggedWay[], TaggedWay[]] {
  const gone: TaggedWay[] = [];
  const came: TaggedWay[] = [];
  let [at, i] = [0, 0];
  for (const stretch of [
    ...sameStretches(before, now, idOf),
    { before: before.length, now: now.length, length: 0 },
  ]) {
    while (at < stretch.before) gone.push(before[at++]!);
    while (i < stretch.now) came.push(now[i++]!);
    at += stretch.length;
    i += stretch.length;
  }
  return [gone, came];
}
