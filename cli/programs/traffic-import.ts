import { setTimeout as sleep } from 'node:timers/promises';
import { openTileset, TilesetNotFound } from '#map-data/open-tileset.js';
import { ShapeNodes } from '#map-data/tiles/shape-nodes.js';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { InvalidFeed, type ReadFeed } from '#traffic-exchange/events/road-event.js';
import type { FeedFormat } from '#traffic-exchange/feeds/feed-format.js';
import { EventMatcher } from '#traffic-exchange/feeds/match-event.js';
import { type ImportPlan, planImport } from '#traffic-exchange/feeds/plan-import.js';
import { readFeed } from '#traffic-exchange/feeds/read-feed.js';
import { edgeSpeeds } from '#traffic-exchange/segment-speeds/edge-speeds.js';
import {
  readSegmentSpeeds,
  type SegmentSpeeds,
} from '#traffic-exchange/segment-speeds/read-segment-speeds.js';
import { type SpeedEvents, speedEvents } from '#traffic-exchange/segment-speeds/speed-events.js';
import { openObjects } from '../adapters.js';
import { CommandFailed, exitCode } from '../exit.js';
import { FeedSource } from '../feed-source.js';
import { describeImport, importAsJson } from '../import-report.js';
import { IncidentClient } from '../incident-client.js';
import { operatorToken } from '../operator-token.js';
import { addressBySettings } from '../own-address.js';
import { refusePlainAddress } from '../plain-connections.js';
import { readSettings } from '../read-settings.js';

export interface TrafficImportOptions {
  readonly format: FeedFormat;
  readonly name: string;
  /** Seconds. */
  readonly follow?: number;
  /** Default: by the settings. */
  readonly url?: string;
  readonly tokenFile?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** The edges of one tileset, and what finds them. */
interface OpenRoads {
  readonly network: RoadNetwork;
  readonly matcher: EventMatcher;
  /** The events of the last file of speeds. */
  speeds?: { readonly of: SegmentSpeeds; readonly events: SpeedEvents };
}

type FeedContent =
  | { readonly kind: 'events'; readonly feed: ReadFeed }
  | { readonly kind: 'speeds'; readonly speeds: SegmentSpeeds };

const contentOf = (format: FeedFormat, text: string): FeedContent =>
  format === 'osrm-speeds'
    ? { kind: 'speeds', speeds: readSegmentSpeeds(text) }
    : { kind: 'events', feed: readFeed(format, text) };

/** Imports once, or again and again until SIGTERM or SIGINT. */
export async function importTraffic(address: string, options: TrafficImportOptions): Promise<void> {
  const { follow, tokenFile } = options;
  const config = readSettings();
  if (options.url !== undefined) refusePlainAddress('--url', options.url);
  const stop = new AbortController();
  const source = new FeedSource(address, stop.signal);
  const token = await operatorToken(config, tokenFile, 'traffic-import');
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop.abort());
  const { signal } = stop;
  const objects = await openObjects(config);
  const url = options.url ?? addressBySettings(config, 'public');
  const client = new IncidentClient({ url, token, signal });
  const run = new Import(source, client, objects, options);
  try {
    if (follow === undefined) await run.once();
    else await run.follow(1_000 * follow, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await objects.close();
  }
}

class Import {
  readonly #source: FeedSource;
  readonly #client: IncidentClient;
  readonly #objects: ObjectStore;
  readonly #options: TrafficImportOptions;
  /** The last feed that could be read. */
  #feed: FeedContent | undefined;
  #roads: OpenRoads | undefined;

  constructor(
    source: FeedSource,
    client: IncidentClient,
    objects: ObjectStore,
    options: TrafficImportOptions,
  ) {
    this.#source = source;
    this.#client = client;
    this.#objects = objects;
    this.#options = options;
  }

  async once(): Promise<void> {
    this.#feed = await this.#read();
    await this.#apply(this.#feed);
  }

  /** A feed that cannot be read leaves the last one that could be in force; its events begin and end. */
  async follow(everyMs: number, signal: AbortSignal): Promise<void> {
    let readMs = Number.NEGATIVE_INFINITY;
    while (!signal.aborted) {
      let nextStartMs: number | undefined;
      try {
        if (Date.now() >= readMs + everyMs) {
          readMs = Date.now();
          this.#feed = await this.#read();
        }
      } catch (error) {
        report(error, signal);
      }
      try {
        if (this.#feed !== undefined) ({ nextStartMs } = await this.#apply(this.#feed));
      } catch (error) {
        report(error, signal);
      }
      const dueMs = Math.min(readMs + everyMs, nextStartMs ?? Number.POSITIVE_INFINITY);
      await sleep(Math.max(100, dueMs - Date.now()), undefined, { signal }).catch(() => undefined);
    }
  }

  async #read(): Promise<FeedContent> {
    const text = await this.#source.read();
    if (text === undefined && this.#feed !== undefined) return this.#feed;
    try {
      return contentOf(this.#options.format, text ?? '');
    } catch (error) {
      if (!(error instanceof InvalidFeed)) throw error;
      this.#source.forget();
      const kept = this.#feed === undefined ? '' : ' The last readable feed stays in force.';
      throw new CommandFailed(`The feed is refused. ${error.message}${kept}`);
    }
  }

  async #apply(content: FeedContent): Promise<ImportPlan> {
    const { name, dryRun = false, json = false } = this.#options;
    const roads = await this.#openRoads();
    const { network, matcher } = roads;
    const { feed, match }: SpeedEvents =
      content.kind === 'speeds'
        ? await this.#speedEvents(roads, content.speeds)
        : { feed: content.feed, match: (event) => matcher.match(event) };
    const plan = planImport(feed, {
      name,
      present: await this.#client.list(),
      match,
      edgeId: (edge) => network.edgeId(edge),
      nowMs: Date.now(),
    });
    if (!dryRun) {
      // What opens roads comes first: a platform that is full has room then.
      for (const id of plan.removes) await this.#client.remove(id);
      for (const incident of plan.writes) await this.#client.put(incident, network.tilesetId);
    }
    console.log(json ? importAsJson(plan) : describeImport(plan, dryRun));
    return plan;
  }

  async #speedEvents(roads: OpenRoads, speeds: SegmentSpeeds): Promise<SpeedEvents> {
    if (roads.speeds?.of === speeds) return roads.speeds.events;
    const { network } = roads;
    const nodes = await ShapeNodes.open(this.#objects, network.tilesetId);
    if (nodes === undefined)
      throw new CommandFailed('An older program built the map, without node ids. Build it again.');
    const events = speedEvents(network, await edgeSpeeds(network, nodes, speeds));
    roads.speeds = { of: speeds, events };
    return events;
  }

  /** Edges of the tileset that the platform serves: a release may have taken the place of another one. */
  async #openRoads(): Promise<OpenRoads> {
    const tilesetId = await this.#client.tilesetId();
    if (this.#roads?.network.tilesetId !== tilesetId) {
      this.#roads = undefined;
      try {
        const network = await openTileset(this.#objects, tilesetId);
        this.#roads = { network, matcher: new EventMatcher(network) };
      } catch (error) {
        if (!(error instanceof TilesetNotFound)) throw error;
        throw new CommandFailed(
          `The platform serves tileset ${tilesetId}, which is not in OBJECTS; use its settings.`,
          exitCode.notFound,
        );
      }
    }
    return this.#roads;
  }
}

function report(error: unknown, signal: AbortSignal): void {
  if (signal.aborted) return;
  if (!(error instanceof Error) || ['TypeError', 'ReferenceError', 'RangeError'].includes(error.name))
    throw error;
  console.error(error.message);
}
