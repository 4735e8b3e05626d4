import { randomUUID } from 'node:crypto';
import { LogUnavailable } from '#platform/event-log/event-log.js';
import { type NavigationChanged, navigationState } from '#schemas/messages.js';
import type { ClientFrame, ServerFrame } from '#schemas/nav-stream.js';
import { E7 } from '#schemas/units.js';
import * as limits from '../http/limits.js';
import { poolFailure } from '../http/pool-failure.js';
import { type Plan, type PlannedRoute, type Planner, RoutesUnavailable } from '../ports/planner.js';
import { chosenRoute } from './chosen-route.js';
import * as messages from './messages.js';
import type { FrameSink, NavigationStore } from './navigation-store.js';
import type { ProgressWriter } from './progress-writer.js';
import { type SessionLog, writeUnwritten } from './session-log.js';

export interface NavSessionDeps {
  readonly book: NavigationStore;
  readonly planner: Planner;
  readonly append: SessionLog;
  readonly progress: Pick<ProgressWriter, 'put'>;
  readonly nowMs: () => number;
}

type Frame<Type extends ClientFrame['type']> = Extract<ClientFrame, { readonly type: Type }>;

type FoundPlan = Extract<Plan, { readonly kind: 'routes' }>;

/** As many as a planner shows. */
const alternativesMax = 2;

/** Code and detail of an `error` frame. */
type Refusal = readonly [code: string, detail: string];

const unknownNavigation: Refusal = ['unknown-navigation', messages.unknownNavigation];

function refusalOf(error: unknown): Refusal {
  if (error instanceof LogUnavailable) return ['unavailable', messages.logUnavailable];
  if (error instanceof RoutesUnavailable) return ['unavailable', error.message];
  const failure = poolFailure(error);
  if (failure !== undefined) return ['busy', failure];
  throw error;
}

/** The navigations of one authenticated socket. One start at a time, because a search is expensive. */
export class NavSession {
  readonly #deps: NavSessionDeps;
  readonly #userId: string;
  readonly #sink: FrameSink;
  readonly #attached = new Set<string>();
  #closed = false;
  #starting = false;

  constructor(deps: NavSessionDeps, userId: string, sink: FrameSink) {
    this.#deps = deps;
    this.#userId = userId;
    this.#sink = sink;
  }

  /** Never rejects for faults of the client or the log: those become `error` frames. */
  async receive(frame: ClientFrame): Promise<void> {
    const refusal = await this.#handle(frame).catch(refusalOf);
    if (refusal !== undefined) this.#sink.send({ type: 'error', code: refusal[0], detail: refusal[1] });
  }

  async #handle(frame: ClientFrame): Promise<Refusal | undefined> {
    switch (frame.type) {
      case 'start': {
        if (this.#starting) return ['busy', messages.startPending];
        this.#starting = true;
        return this.#start(frame).finally(() => {
          this.#starting = false;
        });
      }
      case 'position':
        return this.#position(frame);
      case 'resume':
        return this.#resume(frame);
      case 'end':
        return this.#end(frame);
      case 'ping':
        this.#sink.send({ type: 'pong' });
        return undefined;
      case 'hello':
        return ['unexpected-hello', messages.unexpectedHello];
    }
  }

  close(): void {
    this.#closed = true;
    for (const id of this.#attached) this.#deps.book.detach(this.#sink, id);
  }

  async #start(frame: Frame<'start'>): Promise<Refusal | undefined> {
    const { origin, heading, destination, avoid = [], along } = frame;
    const { book, planner, append } = this.#deps;
    if (book.full) return ['busy', messages.tooManyNavigations];
    const plan = await planner.plan({
      origin,
      ...(heading === undefined ? {} : { originHeadingDeg: heading }),
      destination,
      mode: 'driving',
      avoid,
      alternatives: along === undefined ? 0 : alternativesMax,
    });
    if (plan.kind !== 'routes') return [plan.kind === 'no-route' ? 'no-route' : 'not-found', plan.reason];
    if (this.#closed) return undefined;
    const route = along === undefined ? plan.routes[0]! : chosenRoute(plan.routes, along);
    const record = this.#recordOf(plan, route, frame);
    const former = book.endingOf(this.#userId);
    await append(former === undefined ? [record] : [former, record]);
    // The client disconnected while the log was writing; nothing else would end this navigation.
    if (this.#closed) await append([book.ending(record)]);
    else {
      this.#attached.add(record.navigationId);
      book.begin(record, startedFrame(record, plan, route), this.#sink);
    }
    return undefined;
  }

  #recordOf(
    plan: FoundPlan,
    route: PlannedRoute,
    { destination, avoid = [] }: Frame<'start'>,
  ): NavigationChanged {
    return {
      navigationId: randomUUID(),
      userId: this.#userId,
      state: navigationState.started,
      tilesetId: plan.tilesetId,
      destinationLatE7: Math.round(destination.lat * E7),
      destinationLngE7: Math.round(destination.lng * E7),
      edgeIds: route.edgeIds(),
      tiles: route.tiles,
      durationS: route.durationS,
      distanceM: route.distanceM,
      declinedS: Math.max(0, route.durationS - plan.routes[0]!.durationS),
      metricVersion: plan.metricVersion,
      routeVersion: 1,
      avoid,
      changedMs: this.#deps.nowMs(),
    };
  }

  #position({ navigation_id, lat, lng, timestamp }: Frame<'position'>): Refusal | undefined {
    if (!this.#deps.book.isUnderWay(this.#userId, navigation_id)) return unknownNavigation;
    const aheadMs = timestamp - this.#deps.nowMs();
    if (!(aheadMs <= limits.positionAheadMaxMs && aheadMs >= -limits.positionBehindMaxMs))
      return ['bad-timestamp', messages.badTimestamp];
    this.#deps.progress.put({
      navigationId: navigation_id,
      userId: this.#userId,
      latE7: Math.round(lat * E7),
      lngE7: Math.round(lng * E7),
      timeMs: Math.round(timestamp),
    });
    return undefined;
  }

  async #resume({ navigation_id, last_id }: Frame<'resume'>): Promise<Refusal | undefined> {
    const outcome = this.#deps.book.resume(this.#userId, navigation_id, last_id, this.#sink);
    if (outcome.kind === 'unknown') return unknownNavigation;
    this.#attached.add(navigation_id);
    for (const frame of outcome.frames) this.#sink.send(frame);
    // A reroute that arrived while no instance owned the navigation has not been written.
    await writeUnwritten(this.#deps, [navigation_id]);
    return undefined;
  }

  async #end({ navigation_id }: Frame<'end'>): Promise<Refusal | undefined> {
    const { book, append } = this.#deps;
    const record = book.find(this.#userId, navigation_id);
    if (record === undefined || record.state === navigationState.ended) return unknownNavigation;
    const ending = book.ending(record);
    await append([ending]);
    book.finish(ending);
    return undefined;
  }
}

function startedFrame(
  record: NavigationChanged,
  plan: FoundPlan,
  route: PlannedRoute,
): Extract<ServerFrame, { readonly type: 'started' }> {
  return {
    type: 'started',
    id: record.routeVersion,
    navigation_id: record.navigationId,
    route: {
      polyline: route.polyline,
      distance_m: route.distanceM,
      duration_s: route.durationS,
      metric_version: plan.metricVersion,
      edge_ids: [...record.edgeIds],
    },
    tiles: [...route.tiles],
    warnings: [...route.warnings],
  };
}
