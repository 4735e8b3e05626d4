import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { LineFinder } from './dereference.js';
import { LengthSearch } from './length-search.js';
import { edgesMax, encodingAttemptsMax, pointsMax } from './limits.js';
import { decodeLine, encodeLine } from './line-binary.js';
import { type LineReference, legMetresMax, type ReferencePoint } from './line-reference.js';
import { bearingAt, fowOf, frcOf } from './road-attributes.js';

const leastImportant = 7;

/**
 * Writes paths of our edges as lines of OpenLR. What it returns is read back to exactly the same edges on
 * this network: points are added until that holds.
 */
export class LineWriter {
  readonly #network: RoadNetwork;
  readonly #search: LengthSearch;
  readonly #finder: LineFinder;

  constructor(network: RoadNetwork) {
    this.#network = network;
    this.#search = new LengthSearch(network);
    this.#finder = new LineFinder(network);
  }

  /**
   * Of whole edges, each of which begins where the previous one ends. Undefined where no line says exactly
   * this path, for instance with an edge of more than 15 km, or for too many edges.
   */
  write(edges: readonly number[]): LineReference | undefined {
    if (edges.length === 0 || edges.length > edgesMax) return undefined;
    const starts = this.#starts(edges);
    for (let attempt = 0; starts !== undefined && attempt < encodingAttemptsMax; attempt++) {
      if (starts.size + 1 > pointsMax) return undefined;
      const line = this.#line(
        edges,
        [...starts].sort((a, b) => a - b),
      );
      const wrong = this.#firstWrong(edges, line);
      if (wrong === undefined) return line;
      const added = missingStart(starts, wrong, edges.length);
      if (added === undefined) return undefined;
      starts.add(added);
    }
    return undefined;
  }

  /** Places in the path where points are needed so that it is the shortest way from each to the next. */
  #starts(edges: readonly number[]): Set<number> | undefined {
    const starts = new Set([0]);
    for (let from = 0; from < edges.length - 1; ) {
      const to = this.#reachableBy(edges, from);
      if (to === undefined) return undefined;
      if (to === edges.length) break;
      starts.add(to);
      from = to;
    }
    return lengthOf(this.#network, edges.slice(-1)) > legMetresMax ? undefined : starts;
  }

  /** The place up to which the path is the shortest way from the edge at `from`; its length: to the end. */
  #reachableBy(edges: readonly number[], from: number): number | undefined {
    const network = this.#network;
    let end = from;
    let metres = 0;
    while (end < edges.length && metres + network.edgeLengthM(edges[end]!) < legMetresMax)
      metres += network.edgeLengthM(edges[end++]!);
    if (end === from) return undefined;
    // The last point lies at the end of the last edge, every other one where its edge begins.
    const last = end === edges.length ? end - 1 : end;
    if (last === from) return end;
    const target = network.arrays.tail[edges[last]!]!;
    const [lng, lat] = [network.arrays.nodeLngE7[target]! / 1e7, network.arrays.nodeLatE7[target]! / 1e7];
    const towards = { lng, lat, withinM: 0 };
    const found = this.#search.run(
      { edge: edges[from]!, reachM: metres + 1, lowestFrc: leastImportant, towards },
      new Set([target]),
    );
    if (!found.has(target)) return from + Math.max(1, (last - from) >> 1);
    const way = this.#search.way(target);
    for (let i = from + 1; i < last; i++) if (way[i - from - 1] !== edges[i]) return i;
    return end;
  }

  #line(edges: readonly number[], starts: readonly number[]): LineReference {
    const network = this.#network;
    const points = starts.map((start, i): ReferencePoint => {
      const leg = edges.slice(start, starts[i + 1] ?? edges.length);
      return {
        ...this.#point(edges[start]!, false),
        toNext: {
          lowestFrc: Math.max(...leg.map((edge) => frcOf(network, edge))),
          distanceM: lengthOf(network, leg),
        },
      };
    });
    return {
      points: [...points, this.#point(edges.at(-1)!, true)],
      positiveOffset: 0,
      negativeOffset: 0,
    };
  }

  #point(edge: number, arrives: boolean): ReferencePoint {
    const network = this.#network;
    const { tail, head, nodeLngE7, nodeLatE7 } = network.arrays;
    const node = arrives ? head[edge]! : tail[edge]!;
    return {
      ...{ lat: nodeLatE7[node]! / 1e7, lng: nodeLngE7[node]! / 1e7 },
      ...{ frc: frcOf(network, edge), fow: fowOf(network, edge) },
      bearingDeg: bearingAt(network, edge, arrives ? 1 : 0, arrives),
    };
  }

  /** The first edge that a reader of the bytes would not find; undefined where all are found. */
  #firstWrong(edges: readonly number[], line: LineReference): number | undefined {
    const found = this.#finder.find(decodeLine(encodeLine(line)));
    if (found.kind !== 'found') return 0;
    const read = found.stretches.map(({ edge }) => edge);
    if (read.length === edges.length && read.every((edge, i) => edge === edges[i])) return undefined;
    return edges.findIndex((edge, i) => edge !== read[i]);
  }
}

/** Where another point may help: at the wrong edge, else in the middle of the leg that it is in. */
function missingStart(starts: ReadonlySet<number>, wrong: number, length: number): number | undefined {
  if (wrong > 0 && !starts.has(wrong)) return wrong;
  const sorted = [...starts, length].sort((a, b) => a - b);
  for (let i = 1; i < sorted.length; i++) {
    const [from, to] = [sorted[i - 1]!, sorted[i]!];
    if (to > wrong && to - from > 1) return (from + to) >> 1;
  }
  return undefined;
}

const lengthOf = (network: RoadNetwork, edges: readonly number[]): number =>
  edges.reduce((sum, edge) => sum + network.edgeLengthM(edge), 0);
