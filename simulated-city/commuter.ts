import type { Random } from '#platform/random/random.js';
import { distanceM } from '#routing-engine/network/earth.js';
import type { RouteBody } from '#schemas/nav-stream.js';
import type { LatLng } from '#schemas/units.js';
import type { CityReport } from './city-report.js';
import type { CityRoads } from './city-roads.js';
import { Driver } from './driver.js';
import { LocationSender } from './location-sender.js';
import type { NavClient, NavEvents } from './nav-client.js';
import type { PlatformClient } from './platform-client.js';
import type { GuidedTrip, TripLog, WayAhead } from './trip-log.js';
import type { World } from './world.js';

export interface CommuterPorts {
  readonly roads: CityRoads;
  readonly world: World;
  readonly client: PlatformClient;
  readonly hotspots: readonly number[];
  readonly report: CityReport;
  readonly trips: TripLog;
  /** Asks the platform to guide a driver. */
  readonly navigate: (
    token: string,
    origin: LatLng & { readonly headingDeg: number },
    destination: LatLng,
    events: NavEvents,
  ) => NavClient;
}

/** Guided drivers send more often, as a navigation app in the foreground does. */
const guidedFlushMs = 2_000;
const freeFlushMs = 5_000;
const closedInMs = 30_000;
/** Nearer than this is the same place. */
const hereM = 1;
const noneClosed: ReadonlySet<number> = new Set();

/**
 * A driver with a phone: drives from place to place, reports, and when guided follows the platform's routes.
 */
export class Commuter {
  readonly driver: Driver;
  readonly #guided: boolean;
  readonly #ports: CommuterPorts;
  readonly #random: Random;
  readonly #sender: LocationSender;
  readonly #flushMs: number;
  /** The phone reports nothing, and the driver stays where they are. */
  isOff = false;
  /** A driver who has arrived parks until then. */
  nextTripMs = 0;
  /** While the phone cannot send, it keeps its points. */
  canSend: (place: LatLng, nowMs: number) => boolean = () => true;
  #token: string | undefined;
  #asking = false;
  #nav: NavClient | undefined;
  #trip: GuidedTrip | undefined;
  #nextFlushMs: number;
  #parkedUntilMs: number;
  #parkedOn: number | undefined;

  constructor(id: string, guided: boolean, ports: CommuterPorts, random: Random, nowMs: number) {
    this.driver = new Driver(id, ports.roads, random);
    this.#guided = guided;
    this.#ports = ports;
    this.#random = random;
    this.#sender = new LocationSender(id, ports.client, random, ports.report);
    this.#flushMs = guided ? guidedFlushMs : freeFlushMs;
    this.#nextFlushMs = nowMs + random.next() * this.#flushMs;
    this.#parkedUntilMs = nowMs + random.next() * 15_000;
  }

  get navigating(): boolean {
    return this.#nav !== undefined;
  }

  /** Ends the trip. The next one begins at that time, on that edge. */
  park(untilMs: number, edge: number | undefined = this.driver.edge): void {
    this.#endNavigation();
    this.driver.park();
    this.#parkedUntilMs = untilMs;
    this.#parkedOn = edge;
  }

  tick(nowMs: number, seconds: number): void {
    if (this.isOff) return;
    if (this.#token === undefined) {
      this.#askForToken();
      return;
    }
    const { world, report, trips } = this.#ports;
    switch (this.driver.advance(seconds, world)) {
      case 'parked':
        if (nowMs >= this.#parkedUntilMs) this.#depart(nowMs);
        break;
      case 'detoured':
        report.detours++;
        if (this.#nav !== undefined && world.closed.has(this.driver.barrier))
          trips.meetBarrier({ driver: this.driver.id, edge: this.driver.barrier, atMs: nowMs });
        // Off the route: the driver goes on without guidance, as people do when the app leads them to a
        // barrier.
        this.#endNavigation();
        break;
      case 'stuck':
        this.#endNavigation();
        // Closed in: the driver checks again from time to time.
        if (nowMs >= this.#parkedUntilMs) {
          this.#parkedUntilMs = nowMs + closedInMs;
          this.#depart(nowMs);
        }
        break;
      case 'arrived':
        if (this.#trip !== undefined) trips.arrive(this.#trip, nowMs);
        this.#trip = undefined;
        this.#endNavigation();
        if (this.nextTripMs > nowMs) this.park(this.nextTripMs);
        else this.#depart(nowMs);
        break;
      case 'driving':
        break;
    }
    const point = this.driver.report(nowMs, world);
    if (point === undefined) return;
    this.#sender.add(point);
    if (nowMs < this.#nextFlushMs) return;
    this.#nextFlushMs = nowMs + this.#flushMs;
    this.#nav?.position({ lat: point[0], lng: point[1] }, nowMs);
    if (this.canSend({ lat: point[0], lng: point[1] }, nowMs)) void this.#flush(this.#token, nowMs);
  }

  close(): void {
    this.#endNavigation();
  }

  async #flush(token: string, nowMs: number): Promise<void> {
    if ((await this.#sender.flush(token, nowMs)) === 'unauthorized') this.#token = undefined;
  }

  #askForToken(): void {
    if (this.#asking) return;
    this.#asking = true;
    this.#ports.client
      .token(this.driver.id)
      .then((token) => {
        this.#token = token;
      })
      // The platform may be starting or draining; the next tick tries again.
      .catch(() => undefined)
      .finally(() => {
        this.#asking = false;
      });
  }

  #depart(nowMs: number): void {
    const { roads, hotspots, report } = this.#ports;
    const { edge = this.#parkedOn ?? this.#random.pick(hotspots), fraction } = this.driver;
    const to = this.#random.pick(hotspots);
    const path = edge === to ? undefined : roads.findPath(edge, fraction, to, noneClosed);
    if (path === undefined || path.length < 2) return;
    // A road that ends where the driver is: nobody sets out to be where they are.
    if (this.#isHere(this.#endOf(to))) return;
    this.driver.depart(path, fraction);
    report.trips++;
    if (this.#guided) this.#navigate(to, nowMs);
  }

  #isHere({ lat, lng }: LatLng): boolean {
    const here = this.driver.place();
    return here !== undefined && distanceM(here.lng, here.lat, lng, lat) < hereM;
  }

  #endOf(edge: number): LatLng {
    const shape = this.#ports.roads.edgeGeometry(edge);
    return { lat: shape[shape.length - 1]!, lng: shape[shape.length - 2]! };
  }

  #navigate(to: number, nowMs: number): void {
    const { world, trips } = this.#ports;
    const origin = this.driver.place();
    if (origin === undefined || this.#token === undefined) return;
    const from = { lat: origin.lat, lng: origin.lng };
    const destination = this.#endOf(to);
    const take = (route: RouteBody): boolean => {
      const edges = route.edge_ids.map((id) => this.#ports.roads.edgeByStableId(id));
      return edges.length > 0 && !edges.includes(undefined) && this.driver.follow(edges as number[]);
    };
    const nav = this.#ports.navigate(this.#token, origin, destination, {
      started: (_, route) => {
        this.#ports.report.navigations++;
        if (!take(route)) this.#endNavigation();
        else if (this.#nav === nav)
          this.#trip = this.#ports.trips.depart(this.driver.id, from, destination, nowMs);
      },
      rerouted: (route) => {
        this.#ports.report.reroutes++;
        const before = this.#wayAhead();
        if (!take(route)) this.#endNavigation();
        else trips.reroute({ driver: this.driver.id, atMs: world.nowMs, before, after: this.#wayAhead() });
      },
      lost: () => {
        if (this.#nav === nav) this.#endNavigation();
      },
    });
    this.#nav = nav;
  }

  #wayAhead(): WayAhead {
    const edges = this.driver.edgesAhead;
    return { edges, durationS: this.#ports.world.durationS(edges) };
  }

  #endNavigation(): void {
    this.#nav?.end();
    this.#nav = undefined;
    if (this.#trip !== undefined) this.#ports.trips.abandon(this.#trip);
    this.#trip = undefined;
  }
}
