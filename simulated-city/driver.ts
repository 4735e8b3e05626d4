import type { Random } from '#platform/random/random.js';
import type { LatLng } from '#schemas/units.js';
import type { CityRoads } from './city-roads.js';
import type { LocationTuple } from './platform-client.js';
import { RouteWalker } from './route-walker.js';
import type { World } from './world.js';

/** One deviation of the position error, metres; a phone in a street. */
const gpsErrorM = 4;
const metresPerDegree = 111_195;

/**
 * A driver with a place, a way ahead and their own knowledge: they learn that a road is closed by standing
 * before it. Where the way comes from (the platform or the driver) is decided elsewhere.
 */
export class Driver {
  readonly id: string;
  readonly #roads: CityRoads;
  readonly #random: Random;
  readonly #pace: number;
  readonly #known = new Set<number>();
  #walker: RouteWalker | undefined;
  #destination = -1;
  #barrier = -1;
  #stands = false;
  #isStuck = false;
  /** Open roads that this driver never enters. */
  avoids: ReadonlySet<number> = new Set();

  constructor(id: string, roads: CityRoads, random: Random) {
    this.id = id;
    this.#roads = roads;
    this.#random = random;
    this.#pace = 0.9 + 0.2 * random.next();
  }

  get destination(): number {
    return this.#destination;
  }

  /** The edge that the driver last found closed; -1 for none. */
  get barrier(): number {
    return this.#barrier;
  }

  get edge(): number | undefined {
    return this.#walker?.edge;
  }

  /** Of the present edge; the middle for a driver without a position. */
  get fraction(): number {
    return this.#walker?.fraction ?? 0.5;
  }

  get edgesAhead(): readonly number[] {
    return this.#walker?.remaining ?? [];
  }

  /** The driver leaves the car. */
  park(): void {
    this.#walker = undefined;
  }

  /** Sets off from a place on the first edge. Whoever is stuck before a barrier still knows of it. */
  depart(edges: readonly number[], fraction: number): void {
    this.#known.clear();
    if (this.#isStuck) this.#known.add(this.#barrier);
    this.#destination = edges.at(-1)!;
    this.#walker = new RouteWalker(this.#roads, edges, this.#roads.edgeLengthM(edges[0]!) * fraction);
  }

  /**
   * Takes other edges to the same destination, if they lead on from the driver's place. False: the driver
   * cannot reach them.
   */
  follow(edges: readonly number[]): boolean {
    const walker = this.#walker;
    if (walker === undefined) return false;
    const here = edges.indexOf(walker.edge);
    if (here >= 0) {
      walker.replaceAhead(edges.slice(here));
    } else {
      const joining = this.#roads.findPath(walker.edge, walker.fraction, edges[0]!, this.#known);
      if (joining === undefined) return false;
      // Its start may be the other carriageway: nobody drives a loop to begin there.
      const joined = joining.findIndex((edge) => edges.includes(edge));
      walker.replaceAhead([...joining.slice(0, joined), ...edges.slice(edges.indexOf(joining[joined]!))]);
    }
    this.#destination = edges.at(-1)!;
    return true;
  }

  /** Moves for `seconds`; before a closed road the driver finds another way, `detoured`. */
  advance(seconds: number, world: World): 'parked' | 'driving' | 'arrived' | 'detoured' | 'stuck' {
    const walker = this.#walker;
    if (walker === undefined) return 'parked';
    const state = walker.drive(
      seconds,
      (edge) => world.speedMps(edge) * this.#pace,
      (edge) => !this.avoids.has(edge) && world.enter(edge),
      (edge) => world.isRed(edge),
    );
    this.#stands = state === 'standing';
    if (state === 'standing') return 'driving';
    if (state !== 'blocked') {
      this.#isStuck = false;
      return state;
    }
    this.#barrier = walker.nextEdge!;
    const isNew = !this.#known.has(this.#barrier);
    this.#known.add(this.#barrier);
    const around =
      this.#roads.findPath(walker.edge, walker.fraction, this.#destination, this.#known) ??
      this.#turnRound(walker);
    this.#isStuck = around === undefined;
    if (around === undefined) return 'stuck';
    if (isNew) world.turnBack(this.#barrier);
    walker.replaceAhead(around);
    return 'detoured';
  }

  /** Where the phone believes to be. */
  report(nowMs: number, world: World): LocationTuple | undefined {
    const walker = this.#walker;
    if (walker === undefined) return undefined;
    const { lat, lng, headingDeg } = walker.place();
    const northM = this.#random.normal() * gpsErrorM;
    const eastM = this.#random.normal() * gpsErrorM;
    const eastScale = metresPerDegree * Math.cos((lat * Math.PI) / 180);
    return [
      round(lat + northM / metresPerDegree, 7),
      round(lng + eastM / eastScale, 7),
      nowMs,
      gpsErrorM * 1.5,
      this.#stands ? 0 : round(world.speedMps(walker.edge) * this.#pace, 1),
      round((headingDeg + this.#random.normal() * 4 + 360) % 360, 1),
    ];
  }

  place(): (LatLng & { readonly headingDeg: number }) | undefined {
    return this.#walker?.place();
  }

  #turnRound(walker: RouteWalker): readonly number[] | undefined {
    const back = this.#roads.reverseOf(walker.edge);
    if (back === undefined) return undefined;
    const path = this.#roads.findPath(back, 0, this.#destination, this.#known);
    return path === undefined ? undefined : [walker.edge, ...path];
  }
}

function round(value: number, digits: number): number {
  const scale = 10 ** digits;
  return Math.round(value * scale) / scale;
}
