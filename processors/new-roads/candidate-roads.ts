import type { FlatPlace as Place } from './flat-map.js';
import type { NewRoadSettings } from './settings.js';

/** A road that several drives suggest. Metres on the flat map of the cluster. */
export interface CandidateRoad {
  readonly line: readonly Place[];
  readonly passes: number;
  readonly drivers: number;
  /** All passes ran along the line, none against it. */
  readonly oneWay: boolean;
}

export interface PlainClusters {
  readonly next: number;
  readonly clusters: readonly (readonly [number: number, passes: readonly Pass[]])[];
}

interface Pass {
  readonly samples: readonly Place[];
  readonly driver: number;
}

const sampleM = 8;
/** Passes that a cluster keeps; more do not make a line better. */
const passesKeptMax = 24;
/** Clusters in memory; the least recently extended one is evicted. */
const clustersMax = 20_000;
const cellM = 50;

/** Clusters parallel runs and computes their common line. */
export class CandidateRoads {
  readonly #settings: NewRoadSettings;
  /** By number; in the order of the last addition. */
  readonly #clusters = new Map<number, Pass[]>();
  /** Clusters that have a sample in a square. */
  readonly #cells = new Map<string, Set<number>>();
  #next = 0;

  constructor(settings: NewRoadSettings) {
    this.#settings = settings;
  }

  /** Returns the number of its cluster. */
  add(run: readonly Place[], driver: number): number {
    const samples = resample(run);
    const { besideM, sharedMin } = this.#settings;
    let best = -1;
    let bestShare = sharedMin;
    for (const number of this.#near(samples)) {
      const [reference] = this.#clusters.get(number)!;
      const share = Math.max(
        shareBeside(samples, reference!.samples, besideM),
        shareBeside(reference!.samples, samples, besideM),
      );
      if (share < bestShare) continue;
      bestShare = share;
      best = number;
    }
    const number = best >= 0 ? best : this.#next++;
    const passes = this.#clusters.get(number) ?? [];
    this.#clusters.delete(number);
    this.#clusters.set(number, passes);
    if (passes.length < passesKeptMax) passes.push({ samples, driver });
    // The longest pass, with which others are compared.
    passes.sort((a, b) => b.samples.length - a.samples.length);
    this.#putInCells(samples, number);
    if (this.#clusters.size > clustersMax) this.#forgetOldest();
    return number;
  }

  /** Undefined as long as too few passes of too few drivers agree. */
  road(number: number): CandidateRoad | undefined {
    return drawRoad(this.#clusters.get(number) ?? [], this.#settings);
  }

  /** Plain data. */
  toPlain(): PlainClusters {
    return {
      next: this.#next,
      clusters: [...this.#clusters].map(([number, passes]) => [number, [...passes]]),
    };
  }

  static fromPlain({ next, clusters }: PlainClusters, settings: NewRoadSettings): CandidateRoads {
    const roads = new CandidateRoads(settings);
    roads.#next = next;
    for (const [number, passes] of clusters) {
      roads.#clusters.set(number, [...passes]);
      for (const { samples } of passes) roads.#putInCells(samples, number);
    }
    return roads;
  }

  /** The roads that enough passes of enough drivers agree on. */
  proposals(): CandidateRoad[] {
    const roads: CandidateRoad[] = [];
    for (const passes of this.#clusters.values()) {
      const road = drawRoad(passes, this.#settings);
      if (road !== undefined) roads.push(road);
    }
    return roads;
  }

  #putInCells(samples: readonly Place[], number: number): void {
    for (const sample of samples) {
      const cell = cellOf(sample);
      const there = this.#cells.get(cell);
      if (there === undefined) this.#cells.set(cell, new Set([number]));
      else there.add(number);
    }
  }

  #near(samples: readonly Place[]): Set<number> {
    const near = new Set<number>();
    for (const [x, y] of samples)
      for (const east of [-cellM, 0, cellM])
        for (const north of [-cellM, 0, cellM])
          for (const number of this.#cells.get(cellOf([x + east, y + north])) ?? []) near.add(number);
    return near;
  }

  #forgetOldest(): void {
    const oldest = this.#clusters.keys().next().value!;
    for (const { samples } of this.#clusters.get(oldest)!)
      for (const sample of samples) this.#cells.get(cellOf(sample))?.delete(oldest);
    this.#clusters.delete(oldest);
  }
}

const cellOf = ([x, y]: Place): string => `${Math.floor(x / cellM)} ${Math.floor(y / cellM)}`;
const apartM = (a: Place, b: Place): number => Math.hypot(a[0] - b[0], a[1] - b[1]);

/** Places every 8 m along a line, its ends included. */
function resample(line: readonly Place[]): Place[] {
  const samples: Place[] = [rounded(...line[0]!)];
  let ahead = sampleM;
  for (let i = 1; i < line.length; i++) {
    const [from, to] = [line[i - 1]!, line[i]!];
    const metres = apartM(from, to);
    for (; ahead < metres; ahead += sampleM) {
      const share = ahead / metres;
      samples.push(rounded(from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])));
    }
    ahead -= metres;
  }
  return samples;
}

/** Rounded to decimetres, so that stored and compared values are equal. */
const rounded = (x: number, y: number): Place => [Math.round(10 * x) / 10, Math.round(10 * y) / 10];

function shareBeside(samples: readonly Place[], others: readonly Place[], besideM: number): number {
  const beside = samples.filter((sample) => others.some((other) => apartM(sample, other) <= besideM));
  return beside.length / samples.length;
}

/**
 * Along the longest pass, each point moves to the mean of the nearest points of the other passes, twice. Ends
 * with too few passes are cut off.
 */
function drawRoad(passes: readonly Pass[], settings: NewRoadSettings): CandidateRoad | undefined {
  const { besideM, passesMin, driversMin, roadMinM } = settings;
  const drivers = new Set(passes.map(({ driver }) => driver)).size;
  if (passes.length < passesMin || drivers < driversMin) return undefined;
  let line = passes[0]!.samples;
  let support: number[] = [];
  for (let round = 0; round < 2; round++) {
    support = [];
    line = line.map((place) => {
      let count = 0;
      let [x, y] = [0, 0];
      for (const { samples } of passes) {
        const nearest = nearestOf(samples, place);
        if (apartM(nearest, place) > besideM) continue;
        count++;
        x += nearest[0];
        y += nearest[1];
      }
      support.push(count);
      return count === 0 ? place : [x / count, y / count];
    });
  }
  const first = support.findIndex((count) => count >= passesMin);
  const last = support.findLastIndex((count) => count >= passesMin);
  if (first < 0) return undefined;
  const smooth = smoothed(line.slice(first, last + 1));
  if (lengthM(smooth) < roadMinM) return undefined;
  const along = passes.map(({ samples }) => runsAlong(samples, smooth));
  const forth = along.filter(Boolean).length;
  const oneWay = forth === 0 || forth === along.length;
  return { line: forth === 0 ? smooth.toReversed() : smooth, passes: passes.length, drivers, oneWay };
}

function nearestOf(samples: readonly Place[], place: Place): Place {
  let nearest = samples[0]!;
  for (const sample of samples) if (apartM(sample, place) < apartM(nearest, place)) nearest = sample;
  return nearest;
}

/**
 * Each inner point becomes the mean of itself and the adjacent points, which removes kinks where a pass ends.
 */
const smoothed = (line: readonly Place[]): Place[] =>
  line.map((place, i) => {
    const [before, after] = [line[i - 1], line[i + 1]];
    if (before === undefined || after === undefined) return place;
    return [(before[0] + 2 * place[0] + after[0]) / 4, (before[1] + 2 * place[1] + after[1]) / 4];
  });

const lengthM = (line: readonly Place[]): number =>
  line.slice(1).reduce((sum, place, i) => sum + apartM(place, line[i]!), 0);

function runsAlong(samples: readonly Place[], line: readonly Place[]): boolean {
  const [from, to] = [samples[0]!, samples.at(-1)!];
  const [start, end] = [line[0]!, line.at(-1)!];
  return (to[0] - from[0]) * (end[0] - start[0]) + (to[1] - from[1]) * (end[1] - start[1]) > 0;
}
