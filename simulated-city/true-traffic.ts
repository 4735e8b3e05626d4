import { type Random, seededRandom } from '#platform/random/random.js';
import type { CityRoads } from './city-roads.js';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const mondayMs = 4 * dayMs;
const knotMs = 20 * 60_000;
/** Edges whose traffic changes together: they are adjacent in the numbering. */
const districtEdges = 64;

/** Shorter edges are pieces of a crossing, and faster ones motorways: they end at no signal. */
const signalFromM = 50;
const signalBelowKph = 80;

/** What one road is like, drawn once by its number. */
interface Road {
  /** Of the map's free-flow speed that ordinary drivers reach when it is empty. */
  readonly reach: number;
  /** Share of its time that the road takes longer by when the city is fullest. */
  readonly crowd: number;
  /** Into town in the morning, out of it in the evening, or neither. */
  readonly morning: number;
  readonly evening: number;
  /** Longest wait at the signal at its end, seconds; 0 without one. */
  readonly redS: number;
}

/**
 * The true speeds of the roads at any instant of any week, independent of the order of queries: commuters by
 * hour and day of the week, days and districts that are fuller than others, moods of a road for half an hour,
 * incidents, signals. Everything is drawn from one seed; only the roads are kept in memory.
 */
export class TrueTraffic {
  readonly #roads: Pick<CityRoads, 'edgeLengthM' | 'freeFlowKph' | 'localMs'>;
  readonly #seed: number;
  readonly #known = new Map<number, Road>();

  constructor(roads: Pick<CityRoads, 'edgeLengthM' | 'freeFlowKph' | 'localMs'>, seed: number) {
    this.#roads = roads;
    this.#seed = seed;
  }

  /** Seconds that ordinary drivers who enter then take on average, over all phases of the signal. */
  meanS(edge: number, atMs: number): number {
    const { redS } = this.#road(edge);
    return this.movingS(edge, atMs) + (redS * this.#crowding(edge, atMs)) / 4;
  }

  /** One driver: `pace` is their own, 1 for an ordinary one. The wait at the signal does not depend on it. */
  drive(edge: number, atMs: number, pace: number, random: Random): { movingS: number; waitingS: number } {
    const { redS } = this.#road(edge);
    const isRed = random.next() < 0.5;
    const waitingS = redS > 0 && isRed ? redS * random.next() * this.#crowding(edge, atMs) : 0;
    return { movingS: this.movingS(edge, atMs) * pace * (0.95 + 0.1 * random.next()), waitingS };
  }

  /** Longest wait at the signal at the end of the edge, seconds; 0 without one. */
  redS(edge: number): number {
    return this.#road(edge).redS;
  }

  /** Seconds that ordinary drivers who enter then take without the wait. */
  movingS(edge: number, atMs: number): number {
    const { reach } = this.#road(edge);
    const emptyS = (this.#roads.edgeLengthM(edge) * 3.6) / (this.#roads.freeFlowKph(edge) * reach);
    return emptyS * this.#crowding(edge, atMs);
  }

  /** At least 1: how many times as long the moving takes as on an empty road. */
  #crowding(edge: number, atMs: number): number {
    const { crowd, morning, evening } = this.#road(edge);
    const localMs = this.#roads.localMs(atMs);
    const day = Math.floor((localMs - mondayMs) / dayMs);
    const weekday = ((day % 7) + 7) % 7;
    const hour = (((localMs % dayMs) + dayMs) % dayMs) / hourMs;
    const peak = (at: number, width: number): number => Math.exp(-(((hour - at) / width) ** 2) / 2);
    const usual =
      weekday < 5
        ? 0.15 * peak(13, 4) + morning * peak(8, 0.9) + evening * peak(17, 1.3)
        : (weekday === 5 ? 0.45 : 0.25) * peak(14, 2.8);
    const district = Math.floor(edge / districtEdges);
    const ofDay = Math.exp(0.25 * this.#normal(day, 1) + 0.25 * this.#normal(day, 2 + district));
    const mood = Math.exp(0.25 * this.#wave(edge, atMs, 3) + 0.2 * this.#wave(district, atMs, 4));
    return (
      1 +
      crowd * usual * ofDay * mood +
      this.#incident(edge, day, localMs) +
      0.04 * Math.abs(this.#wave(edge, atMs, 5))
    );
  }

  /** Now and then something stands in the way for an hour or so. */
  #incident(edge: number, day: number, localMs: number): number {
    const random = seededRandom(mix(this.#seed, edge, day, 6));
    if (random.next() >= 0.06) return 0;
    const fromMs = mondayMs + day * dayMs + (6 + 14 * random.next()) * hourMs;
    const lastsMs = (0.4 + 1.2 * random.next()) * hourMs;
    const since = (localMs - fromMs) / lastsMs;
    return since < 0 || since > 1 ? 0 : (0.5 + 2 * random.next()) * Math.min(1, 6 * since, 6 * (1 - since));
  }

  /** Smooth noise of deviation about 1, in knots of twenty minutes. */
  #wave(of: number, atMs: number, kind: number): number {
    const at = atMs / knotMs;
    const knot = Math.floor(at);
    const share = at - knot;
    const eased = share * share * (3 - 2 * share);
    return (
      this.#normal(mix(of, knot, 0, 0), kind) * (1 - eased) +
      this.#normal(mix(of, knot + 1, 0, 0), kind) * eased
    );
  }

  #normal(of: number, kind: number): number {
    return seededRandom(mix(this.#seed, of, kind, 7)).normal();
  }

  #road(edge: number): Road {
    const known = this.#known.get(edge);
    if (known !== undefined) return known;
    const random = seededRandom(mix(this.#seed, edge, 0, 8));
    const flow = random.next();
    const crowd = 0.15 + 1.1 * random.next() ** 2;
    const maySignal =
      this.#roads.edgeLengthM(edge) >= signalFromM && this.#roads.freeFlowKph(edge) < signalBelowKph;
    const road = {
      reach: 0.75 + 0.3 * random.next(),
      crowd,
      morning: flow < 0.4 ? 1 : 0.35,
      evening: flow > 0.6 ? 1 : 0.4,
      redS: random.next() < 0.3 && maySignal ? 15 + 30 * random.next() : 0,
    };
    this.#known.set(edge, road);
    return road;
  }
}

/** Numbers into one seed, so that any of them changes all of it. */
function mix(a: number, b: number, c: number, d: number): number {
  let hash = 0x9e3779b9;
  for (const each of [a, b, c, d]) {
    hash = Math.imul(hash ^ (each | 0), 0x85ebca6b);
    hash ^= hash >>> 13;
    hash = Math.imul(hash, 0xc2b2ae35);
    hash ^= hash >>> 16;
  }
  return hash >>> 0;
}
