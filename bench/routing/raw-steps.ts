import type { Tags } from '#schemas/osm-sink.js';
import type { RawMap } from './raw-map.js';

/** The part of a way between two consecutive nodes: the smallest step of the survey. */
export interface Step {
  readonly way: number;
  readonly from: number;
  readonly to: number;
  /** In the way's drawn direction. */
  readonly along: boolean;
  /** Place of `from` among the way's nodes; -1 on a line across an area. */
  readonly at: number;
  /** Of the area that is crossed; absent on a way. */
  readonly areaTags?: Tags;
}

/** The step of an edge id that is a straight line inside an area; only people on foot take one. */
export function crossingOf(map: RawMap, id: string): Step | undefined {
  const [way, from, to] = /^(\d+):(\d+)-(\d+)/.exec(id)?.slice(1).map(Number) ?? [];
  if (way === undefined || from === undefined || to === undefined) return undefined;
  const areaTags = map.areas.crossed(map.places, way, from, to);
  return areaTags && { way, from, to, along: true, at: -1, areaTags };
}

/** The steps of an edge id `way:from-to±.n`: the n-th part of the way between these nodes. */
export function stepsOf(map: RawMap, id: string): Step[] | undefined {
  const match = /^(\d+):(\d+)-(\d+)([+-])(?:\.(\d+))?$/.exec(id);
  if (match === null) return undefined;
  const [way, first, last, nth] = [match[1], match[2], match[3], match[5] ?? 0].map(Number) as [
    number,
    number,
    number,
    number,
  ];
  const along = match[4] === '+';
  const refs = map.ways.get(way)?.refs;
  if (refs === undefined) return undefined;
  const [start, end] = along ? [first, last] : [last, first];
  const stretches: [number, number][] = [];
  for (let i = 0; i < refs.length; i++) {
    if (refs[i] !== start) continue;
    const j = refs.indexOf(end, i + 1);
    // The stretch of this id has the latest start before the same end.
    const again = refs.indexOf(start, i + 1);
    if (j > i && !(again > i && again < j && start !== end)) stretches.push([i, j]);
  }
  // Where the way also runs from the end to the start, the number counts those stretches too.
  const chosen = stretches[Math.min(nth, stretches.length - 1)];
  if (chosen === undefined) return undefined;
  const steps: Step[] = [];
  for (let i = chosen[0]; i < chosen[1]; i++)
    steps.push(
      along
        ? { way, from: refs[i]!, to: refs[i + 1]!, along, at: i }
        : { way, from: refs[i + 1]!, to: refs[i]!, along, at: i + 1 },
    );
  return along ? steps : steps.reverse();
}
