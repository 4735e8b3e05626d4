import type { DevelopmentIssuer } from '#platform/auth/development-issuer.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import type { LocationTuple, PlatformClient } from '#simulated-city/platform-client.js';
import { RouteWalker } from '#simulated-city/route-walker.js';
import type { Pair } from '../routing/pairs.js';
import { NavSocket, type RerouteFrame } from './nav-socket.js';

/** A frame that sent a driver another route. */
export interface Push {
  readonly userId: string;
  readonly frame: RerouteFrame;
  readonly atMs: number;
}

interface Driver {
  readonly userId: string;
  readonly token: string;
  readonly socket: NavSocket;
  walker: RouteWalker | undefined;
}

const startsAtOnce = 16;
const noiseM = 3;
const metersPerDegree = 111_195;

/**
 * Drivers who navigate, drive along the road graph at free flow and report their positions once a second, in
 * batches.
 */
export class Fleet {
  readonly pushes: Push[] = [];
  readonly #network: RoadNetwork;
  readonly #random: () => number;
  readonly #drivers: Driver[] = [];
  #accepted = 0;
  #refused = 0;
  #timer: NodeJS.Timeout | undefined;
  #due = 0;
  #sequence = 0;

  constructor(network: RoadNetwork, random: () => number) {
    this.#network = network;
    this.#random = random;
  }

  get size(): number {
    return this.#drivers.filter(({ walker }) => walker !== undefined).length;
  }

  /** Points that the ingest server accepted and refused. */
  get points(): { readonly accepted: number; readonly refused: number } {
    return { accepted: this.#accepted, refused: this.#refused };
  }

  /** The remaining edges of the active drivers, starting with the edge that each is on. */
  remaining(): readonly (readonly number[])[] {
    return this.#drivers.flatMap(({ walker }) => (walker === undefined ? [] : [walker.remaining]));
  }

  async begin(apiUrl: string, issuer: DevelopmentIssuer, pairs: readonly Pair[]): Promise<void> {
    const waiting = [...pairs.entries()];
    const next = async (): Promise<void> => {
      for (let pair = waiting.pop(); pair !== undefined; pair = waiting.pop())
        await this.#start(apiUrl, issuer, `load-${pair[0]}`, pair[1]);
    };
    await Promise.all(Array.from({ length: startsAtOnce }, next));
  }

  /**
   * Sends until `stop`: each driver a batch of `batchS` points every `batchS` seconds, evenly spread over
   * time.
   */
  drive(door: PlatformClient, batchS: number): void {
    const began = performance.now();
    const perMs = this.#drivers.length / (batchS * 1_000);
    this.#timer = setInterval(() => {
      for (const due = (performance.now() - began) * perMs; this.#due < due; this.#due++) {
        const driver = this.#drivers[this.#due % this.#drivers.length]!;
        this.#send(door, driver, batchS);
      }
    }, 5);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  close(): void {
    this.stop();
    for (const { socket } of this.#drivers) socket.close();
  }

  async #start(apiUrl: string, issuer: DevelopmentIssuer, userId: string, pair: Pair): Promise<void> {
    const token = await issuer.issueToken({ sub: userId, scopes: ['driver'] });
    const socket = await NavSocket.open(apiUrl, token, (frame, atMs) => {
      this.pushes.push({ userId, frame, atMs });
      this.#follow(driver, frame);
    });
    const driver: Driver = { userId, token, socket, walker: undefined };
    const started = await socket.start({
      origin: { lat: pair[0], lng: pair[1] },
      destination: { lat: pair[2], lng: pair[3] },
    });
    const edges = started === undefined ? [] : this.#edgesOf(started.route.edge_ids);
    if (edges.length > 0) driver.walker = new RouteWalker(this.#network, edges, 0);
    this.#drivers.push(driver);
  }

  #edgesOf(ids: readonly string[]): number[] {
    return ids.flatMap((id) => this.#network.edgeByStableId(id) ?? []);
  }

  /** The driver takes the new route if it is still ahead of them. */
  #follow({ walker }: Driver, frame: RerouteFrame): void {
    if (walker === undefined) return;
    const edges = this.#edgesOf(frame.route.edge_ids);
    const here = edges.indexOf(walker.edge);
    if (here >= 0) walker.replaceAhead(edges.slice(here));
  }

  #send(door: PlatformClient, driver: Driver, batchS: number): void {
    const { walker } = driver;
    if (walker === undefined) return;
    const nowMs = Date.now();
    const points: LocationTuple[] = [];
    for (let i = 0; i < batchS; i++) {
      // A driver who has arrived stays there and keeps reporting.
      walker.drive(
        1,
        (edge) => this.#network.freeFlowKph(edge, 'driving') / 3.6,
        () => true,
      );
      const { lat, lng, headingDeg } = walker.place();
      const off = (): number => ((this.#random() * 2 - 1) * noiseM) / metersPerDegree;
      points.push([lat + off(), lng + off(), nowMs - (batchS - 1 - i) * 1_000, 5, 10, headingDeg]);
    }
    void door.sendBatch(driver.token, `${driver.userId}-${this.#sequence++}`, points).then(({ outcome }) => {
      if (outcome === 'accepted') this.#accepted += points.length;
      else this.#refused += points.length;
    });
  }
}
