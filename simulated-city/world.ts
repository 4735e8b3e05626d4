import type { Random } from '#platform/random/random.js';
import type { CityRoads } from './city-roads.js';
import { PassageCounts } from './passage-counts.js';
import { TrueTraffic } from './true-traffic.js';

export interface HiddenClosure {
  readonly edges: readonly number[];
  readonly closedMs: number;
  readonly opensMs: number;
  /** Drivers a minute who used these edges, both ways together, in the ten minutes before. */
  readonly passagesPerMinute: number;
  /** Drivers who came to it and went another way, each once on a trip. */
  readonly turnedBack: number;
}

/** Grows while the road is closed. */
type Counted = HiddenClosure & { turnedBack: number };

export interface WorldSettings {
  /** Interval of new closures that no user reported; 0 for none. */
  readonly closureEveryMs: number;
  readonly closureLastsMs: number;
  /** `weekly`: commuters, full districts, incidents and signals; `free`: the map's own speeds. */
  readonly traffic: 'weekly' | 'free';
}

export const worldDefaults: WorldSettings = {
  closureEveryMs: 90_000,
  closureLastsMs: 6 * 60_000,
  traffic: 'weekly',
};

/** How long a speed counts before it is worked out again. */
const speedKeptMs = 30_000;
/** Past closures that are kept to evaluate the platform; a day of them, or so. */
const pastClosuresMax = 1_000;

/**
 * The truth about the roads: which are closed, and how fast traffic moves. The platform sees none of this; it
 * is the oracle for what the platform finds out.
 */
export class World {
  readonly #roads: CityRoads;
  readonly #random: Random;
  readonly #settings: WorldSettings;
  readonly #closures: Counted[] = [];
  readonly #past: HiddenClosure[] = [];
  readonly #passages = new PassageCounts();
  #nowMs: number;
  readonly #closed = new Set<number>();
  readonly #jammedUntilMs = new Map<number, number>();
  readonly #traffic: TrueTraffic | undefined;
  readonly #speeds = new Map<number, { readonly mps: number; readonly untilMs: number }>();
  #nextClosureMs: number;

  constructor(roads: CityRoads, random: Random, settings: WorldSettings, nowMs: number) {
    this.#roads = roads;
    this.#random = random;
    this.#settings = settings;
    this.#nextClosureMs = nowMs + settings.closureEveryMs / 2;
    this.#nowMs = nowMs;
    this.#traffic =
      settings.traffic === 'free' ? undefined : new TrueTraffic(roads, random.fork(-1).below(2 ** 31));
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  get closed(): ReadonlySet<number> {
    return this.#closed;
  }

  get closures(): readonly HiddenClosure[] {
    return this.#closures;
  }

  /** Closures that have ended, oldest first. */
  get pastClosures(): readonly HiddenClosure[] {
    return this.#past;
  }

  /** A driver comes to the beginning of an edge; false where it is closed. */
  enter(edge: number): boolean {
    if (this.#closed.has(edge)) return false;
    this.#passages.add(edge, this.#nowMs);
    return true;
  }

  /** A driver goes another way than this edge for the first time on the trip; counts where it is closed. */
  turnBack(edge: number): void {
    for (const closure of this.#closures) if (closure.edges.includes(edge)) closure.turnedBack++;
  }

  /** Metres per second that an ordinary driver reaches on the edge now. */
  speedMps(edge: number): number {
    if ((this.#jammedUntilMs.get(edge) ?? 0) > this.#nowMs) return 0;
    const known = this.#speeds.get(edge);
    if (known !== undefined && this.#nowMs < known.untilMs) return known.mps;
    const mps =
      this.#traffic === undefined
        ? this.#roads.freeFlowKph(edge) / 3.6
        : this.#roads.edgeLengthM(edge) / this.#traffic.movingS(edge, this.#nowMs);
    this.#speeds.set(edge, { mps, untilMs: this.#nowMs + speedKeptMs });
    return mps;
  }

  /** Whether the signal at the end of the edge is red. */
  isRed(edge: number): boolean {
    const redMs = this.#redMs(edge);
    // Each signal has an offset of its own.
    return redMs > 0 && (this.#nowMs + edge * 7_919) % (2 * redMs) < redMs;
  }

  /** Over the whole edge with the wait at its end, kilometres per hour, on average. */
  meanKph(edge: number): number {
    const lengthM = this.#roads.edgeLengthM(edge);
    // Half of the drivers come at red, and wait half of it.
    return (lengthM * 3.6) / (lengthM / this.speedMps(edge) + this.#redMs(edge) / 4_000);
  }

  /** Over all of the edges, seconds, on average; Infinity if one of them is closed. */
  durationS(edges: readonly number[]): number {
    if (edges.some((edge) => this.#closed.has(edge))) return Number.POSITIVE_INFINITY;
    return edges.reduce((sum, edge) => sum + (3.6 * this.#roads.edgeLengthM(edge)) / this.meanKph(edge), 0);
  }

  /** Edges that drivers entered in the last ten minutes. */
  get drivenEdges(): readonly number[] {
    return this.#passages.edges(this.#nowMs);
  }

  /** `busyEdges`: edges that many drivers have ahead, where a closure matters. */
  advance(nowMs: number, busyEdges: () => readonly number[]): void {
    this.#nowMs = nowMs;
    this.#open(nowMs);
    if (this.#settings.closureEveryMs > 0 && nowMs >= this.#nextClosureMs) {
      this.#nextClosureMs = nowMs + this.#settings.closureEveryMs;
      const busy = busyEdges().filter((edge) => !this.#closed.has(edge));
      if (busy.length > 0) this.close(this.#random.pick(busy), nowMs);
    }
  }

  /** Until then nobody on these edges moves. */
  jam(edges: readonly number[], untilMs: number): void {
    for (const edge of edges) this.#jammedUntilMs.set(edge, untilMs);
  }

  /** Closes a road both ways, in the world only. */
  close(edge: number, nowMs: number): void {
    const reverse = this.#roads.reverseOf(edge);
    const edges = reverse === undefined ? [edge] : [edge, reverse];
    for (const each of edges) this.#closed.add(each);
    const passagesPerMinute = this.#passages.perMinute(edges, nowMs);
    const opensMs = nowMs + this.#settings.closureLastsMs;
    this.#closures.push({ edges, closedMs: nowMs, opensMs, passagesPerMinute, turnedBack: 0 });
  }

  #open(nowMs: number): void {
    for (let i = this.#closures.length - 1; i >= 0; i--) {
      const closure = this.#closures[i]!;
      if (closure.opensMs > nowMs) continue;
      for (const edge of closure.edges) this.#closed.delete(edge);
      this.#closures.splice(i, 1);
      this.#past.push(closure);
    }
    this.#past.splice(0, this.#past.length - pastClosuresMax);
  }

  #redMs(edge: number): number {
    return 1_000 * (this.#traffic?.redS(edge) ?? 0);
  }
}
