import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { type NavigationChanged, navigationState, type RouteChanged } from '#schemas/messages.js';
import { E7, type LatLng } from '#schemas/units.js';
import { projectOnEdge } from '../project-on-edge.js';

/** A navigation in progress, as rerouting needs it. */
export interface ActiveNavigation {
  readonly navigationId: string;
  readonly userId: string;
  readonly destination: LatLng;
  readonly avoid: readonly string[];
  readonly routeVersion: number;
  /** Version of the metric on which the route was searched. */
  readonly metricVersion: number;
  /**
   * Upper bound of the milliseconds that the rest of the route takes longer than the best one; Infinity if
   * unknown.
   */
  readonly slackMs: number;
  /** What the fastest route would have saved when the driver chose this one; absent: nothing. */
  readonly declinedMs?: number;
  /** Directed edges of the route; the driver is on `edges[at]`. */
  readonly edges: readonly number[];
  readonly at: number;
  readonly fraction: number;
  /** Fraction of the last edge at which the route ends. */
  readonly toFraction: number;
  /** Event time of the newest position; older ones are late. */
  readonly positionMs: number;
  /** Where the driver is when they are not on their route. */
  readonly astray?: LatLng;
  /** The map lost a road of the route: the rest of it cannot be driven. */
  readonly gone?: true;
  /**
   * Set while there is no route to the destination and the driver was notified: event time of the position
   * from which the last search found none. The edges are those of the last route.
   */
  readonly unreachableMs?: number;
  readonly changedMs: number;
}

/**
 * Navigations by id and by user, with the inverted index from edges to the navigations whose route has them:
 *
 *     edge 17 → {a}          route of a: 17 ▸ 18 ▸ 40      route of b: 9 ▸ 18
 *     edge 18 → {a, b}
 *
 * A user has one navigation at a time. Of two records of one navigation, the higher route version counts.
 */
export class ActiveNavigations {
  readonly #network: RoadNetwork;
  readonly #byUser = new Map<string, ActiveNavigation>();
  readonly #byEdge = new Map<number, Set<string>>();

  constructor(network: RoadNetwork, navigations: Iterable<ActiveNavigation> = []) {
    this.#network = network;
    for (const navigation of navigations) this.#put(navigation);
  }

  get size(): number {
    return this.#byUser.size;
  }

  of(userId: string): ActiveNavigation | undefined {
    return this.#byUser.get(userId);
  }

  all(): IterableIterator<ActiveNavigation> {
    return this.#byUser.values();
  }

  /**
   * A record of `nav.session.changed.v1`; positions from before `positionMs` belong to another drive. A route
   * that is not on the tileset is ignored; of a route on replaced roads, the rest is followed.
   */
  apply(record: NavigationChanged, positionMs: number): void {
    const known = this.#byUser.get(record.userId);
    if (record.state === navigationState.ended) {
      if (known?.navigationId === record.navigationId) this.remove(record.userId);
      return;
    }
    const isOld =
      known !== undefined &&
      (known.navigationId === record.navigationId
        ? record.routeVersion <= known.routeVersion
        : record.changedMs < known.changedMs);
    if (isOld) return;
    const destination = { lat: record.destinationLatE7 / E7, lng: record.destinationLngE7 / E7 };
    const edges = this.#edgesOf(record.tilesetId, record.edgeIds);
    const isGone = edges !== undefined && edges.length < record.edgeIds.length;
    this.remove(record.userId);
    if (edges === undefined) return;
    const { navigationId, userId, avoid, routeVersion, metricVersion, changedMs } = record;
    const declinedMs = Math.ceil((record.declinedS ?? 0) * 1_000);
    this.#put({
      ...{ navigationId, userId, destination, avoid, routeVersion, metricVersion, edges, changedMs },
      slackMs: declinedMs,
      ...(declinedMs > 0 ? { declinedMs } : {}),
      ...{ at: 0, fraction: 0, positionMs },
      ...(isGone ? { gone: true } : {}),
      ...(record.state === navigationState.unreachable ? { unreachableMs: positionMs } : {}),
      toFraction: projectOnEdge(this.#network, edges.at(-1)!, destination).fraction,
    });
  }

  /** A decision, this process's own or one read back from the log. */
  reroute(change: RouteChanged): void {
    const known = this.#byUser.get(change.userId);
    if (known?.navigationId !== change.navigationId || change.routeVersion <= known.routeVersion) return;
    const { routeVersion, metricVersion, decidedMs } = change;
    if (change.unreachable) {
      const unreachableMs = known.positionMs;
      this.#byUser.set(change.userId, {
        ...{ ...known, routeVersion, metricVersion, unreachableMs },
        changedMs: decidedMs,
      });
      return;
    }
    const edges = this.#edgesOf(change.tilesetId, change.edgeIds);
    if (edges === undefined) return;
    this.remove(change.userId);
    const { astray: _, gone: __, unreachableMs: ___, declinedMs: ____, ...rest } = known;
    this.#put({
      ...rest,
      edges,
      at: 0,
      fraction: change.fromFraction,
      toFraction: change.toFraction,
      ...{ routeVersion, metricVersion },
      slackMs: 0,
      changedMs: decidedMs,
    });
  }

  /** The driver moved; the route is the same. */
  move(
    userId: string,
    place: Pick<ActiveNavigation, 'at' | 'fraction' | 'positionMs'> & { readonly astray?: LatLng },
  ): void {
    const known = this.#byUser.get(userId);
    if (known === undefined) return;
    const { astray: _, ...rest } = known;
    this.#byUser.set(userId, { ...rest, ...place });
  }

  /** The new bound of how much longer the route is than the best one. */
  proved(userId: string, slackMs: number): void {
    const known = this.#byUser.get(userId);
    if (known !== undefined) this.#byUser.set(userId, { ...known, slackMs });
  }

  /** There is no route from the new position either. */
  stillUnreachable(userId: string): void {
    const known = this.#byUser.get(userId);
    if (known?.unreachableMs !== undefined)
      this.#byUser.set(userId, { ...known, unreachableMs: known.positionMs });
  }

  /** Users without a route who have moved since the last search. */
  *unreachableAndMoved(): IterableIterator<string> {
    for (const { userId, unreachableMs, positionMs } of this.#byUser.values())
      if (unreachableMs !== undefined && positionMs > unreachableMs) yield userId;
  }

  /** Removes navigations without any event since. Clients that crash do not end theirs. */
  forgetIdle(sinceMs: number): void {
    for (const { userId, changedMs, positionMs } of this.#byUser.values())
      if (Math.max(changedMs, positionMs) < sinceMs) this.remove(userId);
  }

  remove(userId: string): void {
    const known = this.#byUser.get(userId);
    if (known === undefined) return;
    this.#byUser.delete(userId);
    for (const edge of known.edges) {
      const users = this.#byEdge.get(edge);
      users?.delete(userId);
      if (users?.size === 0) this.#byEdge.delete(edge);
    }
  }

  /**
   * Exactly the navigations that have one of the edges ahead, except for the present edge, which cannot be
   * avoided.
   */
  ahead(edges: Iterable<number>): Set<ActiveNavigation> {
    const found = new Set<ActiveNavigation>();
    for (const edge of edges) {
      for (const userId of this.#byEdge.get(edge) ?? []) {
        const navigation = this.#byUser.get(userId)!;
        if (navigation.edges.lastIndexOf(edge) > navigation.at) found.add(navigation);
      }
    }
    return found;
  }

  #put(navigation: ActiveNavigation): void {
    this.#byUser.set(navigation.userId, navigation);
    for (const edge of navigation.edges) {
      const users = this.#byEdge.get(edge) ?? new Set();
      users.add(navigation.userId);
      this.#byEdge.set(edge, users);
    }
  }

  #edgesOf(tilesetId: string, edgeIds: readonly string[]): readonly number[] | undefined {
    const edges = edgeIds.map((id) => this.#network.edgeByStableId(id));
    const known = edges.filter((edge) => edge !== undefined);
    const isWhole = known.length === edgeIds.length;
    return known.length === 0 || (tilesetId === this.#network.tilesetId && !isWhole) ? undefined : known;
  }
}
