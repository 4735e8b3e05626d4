import { type NavigationChanged, navigationState } from '#schemas/messages.js';
import type { RouteBody, ServerFrame } from '#schemas/nav-stream.js';
import * as limits from '../http/limits.js';
import { rerouteFrame, unreachableFrame, type WrittenFrame, writtenFrame } from './frames.js';
import { HeldRecord, type RouteEdges } from './held-record.js';
import { frameOfRecord, replayedFrames } from './replayed-frames.js';
import type { RouteDecision } from './route-decision.js';

/** One open socket, as the store sees it. */
export interface FrameSink {
  send(frame: ServerFrame | WrittenFrame): void;
}

/** Called when the first socket of this instance joins a navigation, and when the last one leaves it. */
export interface Attendance {
  came(navigationId: string): void;
  left(navigationId: string): void;
}

/** Map data of routes; undefined for a route of another tileset. */
export interface RouteDrawing {
  /** For a client whose missed frame is no longer kept. */
  routeOf(record: NavigationChanged): RouteBody | undefined;
  /**
   * The part of a route after its last closed road, apart from the roads at its ends; the complete route if
   * none is closed. Undefined if nothing is left.
   */
  openPart(route: RouteBody): RouteBody | undefined;
  /** The navigating-user record of a new route. */
  tilesOf(route: RouteEdges): readonly string[] | undefined;
}

type NumberedFrame = Extract<ServerFrame, { readonly id: number }>;

interface Entry {
  readonly navigationId: string;
  readonly userId: string;
  /** Absent while only a reroute was read and its own record has not arrived. */
  record: HeldRecord | undefined;
  readonly frames: { readonly atMs: number; readonly frame: WrittenFrame }[];
  readonly sinks: Set<FrameSink>;
  /**
   * True where a socket of this instance was the last to begin or resume it: that instance writes its record.
   */
  owned: boolean;
  /** Route version of the newest record in the topic of sessions. */
  writtenVersion: number;
  lastDecidedMs: number;
  touchedMs: number;
}

export type RerouteOutcome =
  | { readonly kind: 'news'; readonly sinks: number }
  | { readonly kind: 'known' }
  | { readonly kind: 'ended' };

export type ResumeOutcome =
  | { readonly kind: 'resumed'; readonly frames: readonly WrittenFrame[] }
  | { readonly kind: 'unknown' };

/**
 * Every active navigation, read from the compacted topic and the stream of better routes, with the sockets
 * of this instance attached. A user has one navigation at a time: a new one ends the previous one.
 *
 * The `id` of a frame is the route version, so every instance, even one that has just started, uses the same
 * numbers:
 *
 *     id     1         2         3        4
 *          started   reroute   reroute   ended
 *                              └ resume {last_id: 2} replays from here, once
 */
export class NavigationStore {
  readonly #byId = new Map<string, Entry>();
  readonly #byUser = new Map<string, string>();
  readonly #nowMs: () => number;
  readonly #drawing: RouteDrawing;
  readonly #attendance: Attendance | undefined;

  constructor(nowMs: () => number, drawing: RouteDrawing, attendance?: Attendance) {
    this.#nowMs = nowMs;
    this.#drawing = drawing;
    this.#attendance = attendance;
  }

  get full(): boolean {
    return this.#byId.size >= limits.navigationsMax;
  }

  /** Navigations that have not ended. */
  get active(): number {
    let count = 0;
    for (const { record } of this.#byId.values()) if (record?.active === true) count += 1;
    return count;
  }

  isNavigating(userId: string): boolean {
    const id = this.#byUser.get(userId);
    return id !== undefined && this.#byId.get(id)?.record?.active === true;
  }

  /** The record, for its owner only: callers cannot distinguish unknown and foreign ones. */
  find(userId: string, navigationId: string): NavigationChanged | undefined {
    const entry = this.#byId.get(navigationId);
    return entry?.userId === userId ? entry.record?.whole : undefined;
  }

  /** False for unknown, foreign and ended ones. */
  isUnderWay(userId: string, navigationId: string): boolean {
    const entry = this.#byId.get(navigationId);
    return entry?.userId === userId && entry.record?.active === true;
  }

  /** The record that ends the user's current navigation; undefined if there is none. */
  endingOf(userId: string): NavigationChanged | undefined {
    const id = this.#byUser.get(userId);
    const record = id === undefined ? undefined : this.#byId.get(id)?.record;
    return record?.active === true ? this.ending(record.whole) : undefined;
  }

  ending(record: NavigationChanged): NavigationChanged {
    return { ...record, state: navigationState.ended, changedMs: this.#nowMs() };
  }

  /** A navigation that a socket of this instance started; its record is in the log already. */
  begin(record: NavigationChanged, started: NumberedFrame, sink: FrameSink): void {
    const entry = this.#take(record);
    entry.owned = true;
    // A first reroute may arrive before the log's acknowledgement; the client still receives `started` first.
    const overtaking = [...entry.frames];
    const first = writtenFrame(started);
    entry.frames.unshift({ atMs: this.#nowMs(), frame: first });
    sink.send(first);
    for (const { frame } of overtaking) sink.send(frame);
    entry.sinks.add(sink);
    this.#attendance?.came(entry.navigationId);
  }

  /** Applies a record of the topic of sessions; our own records are read back too and change nothing. */
  apply(record: NavigationChanged): void {
    if (this.#nowMs() - record.changedMs > limits.navigationKeptMs) return;
    const known = this.#byId.get(record.navigationId)?.record;
    if (known?.active === false) return;
    if (record.state === navigationState.ended) {
      if (known !== undefined) this.finish(record);
      return;
    }
    if (known !== undefined && record.routeVersion <= known.routeVersion) this.written(record);
    else if (known !== undefined || !this.full) this.#take(record);
  }

  /** The record of a navigation of this instance that the log does not have yet; it is to be appended. */
  unwritten(navigationId: string): NavigationChanged | undefined {
    const entry = this.#byId.get(navigationId);
    if (entry?.owned !== true || entry.record?.active !== true) return undefined;
    return entry.record.routeVersion > entry.writtenVersion ? entry.record.whole : undefined;
  }

  written({ navigationId, routeVersion }: NavigationChanged): void {
    const entry = this.#byId.get(navigationId);
    if (entry !== undefined) entry.writtenVersion = Math.max(entry.writtenVersion, routeVersion);
  }

  /** Ends a navigation: its sockets receive the end, and it is kept for clients that reconnect late. */
  finish(record: NavigationChanged): void {
    const entry = this.#byId.get(record.navigationId);
    if (entry === undefined || entry.record?.active === false) return;
    entry.record = HeldRecord.of(record);
    entry.touchedMs = this.#nowMs();
    const id = lastId(entry) + 1;
    this.#deliver(entry, writtenFrame({ type: 'ended', id, navigation_id: record.navigationId }));
    this.#attendance?.left(entry.navigationId);
    if (this.#byUser.get(entry.userId) === entry.navigationId) this.#byUser.delete(entry.userId);
  }

  /**
   * Better routes were decided: to the users' sockets here and into the backlog. All frames are encoded
   * before the first is sent, because clients that wait between two sends must be woken for each.
   */
  rerouteAll(changes: readonly RouteDecision[]): RerouteOutcome[] {
    const sends: { readonly sink: FrameSink; readonly frame: WrittenFrame }[] = [];
    const outcomes = changes.map((change) =>
      this.reroute(change, (sink, frame) => {
        sends.push({ sink, frame });
      }),
    );
    for (const { sink, frame } of sends) sink.send(frame);
    return outcomes;
  }

  /** A single one. */
  reroute(change: RouteDecision, send = sendNow): RerouteOutcome {
    const entry = this.#byId.get(change.navigationId) ?? this.#add(change.navigationId, change.userId);
    if (entry === undefined || entry.userId !== change.userId) return { kind: 'known' };
    if (entry.record?.active === false) return { kind: 'ended' };
    const newest = entry.frames.at(-1)?.frame.id ?? 0;
    // Two decisions may carry one version when the second was taken before the first was read back; a record
    // that is delivered twice carries the same instant of decision.
    const isNewer =
      change.routeVersion > newest ||
      (change.routeVersion === newest && change.decidedMs > entry.lastDecidedMs);
    if (!isNewer) return { kind: 'known' };
    entry.lastDecidedMs = change.decidedMs;
    const id = Math.max(newest + 1, change.routeVersion);
    const frame = change.unreachable ? unreachableFrame(change, id) : rerouteFrame(change, id);
    this.#deliver(entry, frame, send);
    if (entry.record !== undefined && id > entry.record.routeVersion)
      entry.record = change.unreachable
        ? entry.record.unreachable(change, frame)
        : entry.record.rerouted(change, frame, this.#drawing.tilesOf);
    return { kind: 'news', sinks: entry.sinks.size };
  }

  /** Reattaches a socket and returns the frames that its client has not handled. */
  resume(userId: string, navigationId: string, last: number, sink: FrameSink): ResumeOutcome {
    const entry = this.#byId.get(navigationId);
    if (entry === undefined || entry.userId !== userId) return { kind: 'unknown' };
    entry.sinks.add(sink);
    entry.owned = true;
    entry.touchedMs = this.#nowMs();
    const kept = entry.frames.map(({ frame }) => frame).filter(({ id }) => id > last);
    const { record } = entry;
    if (record?.active !== false) this.#attendance?.came(navigationId);
    const isMissed = kept.length === 0 && record?.active === true && record.routeVersion > last;
    const missed = isMissed ? frameOfRecord(record.whole, this.#drawing) : undefined;
    const frames = missed === undefined ? kept : [missed];
    return {
      kind: 'resumed',
      frames: replayedFrames(frames, this.#drawing),
    };
  }

  detach(sink: FrameSink, navigationId: string): void {
    const entry = this.#byId.get(navigationId);
    if (entry === undefined) return;
    entry.sinks.delete(sink);
    entry.touchedMs = this.#nowMs();
    if (entry.sinks.size === 0) this.#attendance?.left(navigationId);
  }

  /**
   * Another instance has a socket of it: without one here, its records and its end are left to that instance.
   */
  attendedElsewhere(navigationId: string): void {
    const entry = this.#byId.get(navigationId);
    if (entry === undefined || entry.sinks.size > 0) return;
    entry.owned = false;
    entry.touchedMs = this.#nowMs();
  }

  /**
   * Deletes ended navigations and ends abandoned ones; called every minute. The caller appends the records of
   * those ends. It is harmless if several instances end one navigation.
   */
  sweep(): NavigationChanged[] {
    const nowMs = this.#nowMs();
    const endings: NavigationChanged[] = [];
    for (const entry of this.#byId.values()) {
      while (entry.frames[0] !== undefined && nowMs - entry.frames[0].atMs > limits.backlogKeptMs) {
        entry.frames.shift();
        if (entry.frames.length === 0) entry.record?.release();
      }
      if (entry.sinks.size > 0) continue;
      const silentMs = nowMs - entry.touchedMs;
      if (entry.record?.active !== true) {
        if (silentMs > limits.endedKeptMs) this.#byId.delete(entry.navigationId);
      } else if (silentMs > (entry.owned ? limits.abandonedMs : limits.navigationKeptMs)) {
        const ending = this.ending(entry.record.whole);
        this.finish(ending);
        endings.push(ending);
      }
    }
    return endings;
  }

  #take(record: NavigationChanged): Entry {
    const before = this.#byUser.get(record.userId);
    const former = before === undefined ? undefined : this.#byId.get(before)?.record;
    if (former !== undefined && before !== record.navigationId) this.finish(this.ending(former.whole));
    const entry = this.#byId.get(record.navigationId) ?? this.#insert(record.navigationId, record.userId);
    if (entry.record === undefined || record.routeVersion >= entry.record.routeVersion)
      entry.record = HeldRecord.of(record);
    entry.writtenVersion = Math.max(entry.writtenVersion, record.routeVersion);
    entry.touchedMs = this.#nowMs();
    this.#byUser.set(record.userId, record.navigationId);
    return entry;
  }

  #add(navigationId: string, userId: string): Entry | undefined {
    return this.full ? undefined : this.#insert(navigationId, userId);
  }

  #insert(navigationId: string, userId: string): Entry {
    const entry: Entry = {
      navigationId,
      userId,
      record: undefined,
      frames: [],
      sinks: new Set(),
      owned: false,
      writtenVersion: 0,
      lastDecidedMs: 0,
      touchedMs: this.#nowMs(),
    };
    this.#byId.set(navigationId, entry);
    return entry;
  }

  #deliver(entry: Entry, frame: WrittenFrame, send = sendNow): void {
    entry.frames.push({ atMs: this.#nowMs(), frame });
    if (entry.frames.length > limits.backlogFramesMax) entry.frames.shift();
    for (const sink of entry.sinks) send(sink, frame);
  }
}

const sendNow = (sink: FrameSink, frame: WrittenFrame): void => sink.send(frame);

const lastId = (entry: Entry): number =>
  Math.max(entry.frames.at(-1)?.frame.id ?? 0, entry.record?.routeVersion ?? 0);
