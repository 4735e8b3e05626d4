import { readFile } from 'node:fs/promises';
import { ArrivalModelStore } from '#map-data/learned/arrival-model-store.js';
import { arrivalPrior } from '#map-data/learned/arrival-prior.js';
import { TypicalWeeks } from '#map-data/learned/typical-weeks.js';
import { openTileset } from '#map-data/open-tileset.js';
import { currentRelease } from '#map-data/release/release.js';
import type { Config } from '#platform/config/settings.js';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import { silentLogger } from '#platform/telemetry/logger.js';
import { openTopicCodecs } from '#platform/wire/topic-codecs.js';
import {
  type HistoryTraining,
  historyTripsMin,
  TripHistory,
  trainFromHistory,
} from '#processors/arrival-times/history-training.js';
import { tripsOfLocations } from '#processors/arrival-times/trips-of-locations.js';
import { tripsOfParquet, UnreadableTrips } from '#processors/arrival-times/trips-of-parquet.js';
import { tripsOfTopic } from '#processors/arrival-times/trips-of-topic.js';
import type { FinishedTrip } from '#routing-engine/arrival-times/arrival-model.js';
import { unsteeredPrior } from '#routing-engine/arrival-times/steering.js';
import { topics } from '#schemas/topics.js';
import { openLocations, openLog, openObjects, openRegistry } from '../adapters.js';
import { refuseLogWithoutRegistry } from '../context.js';
import { CommandFailed, exitCode } from '../exit.js';
import { readSettings } from '../read-settings.js';
import { usersOfLog } from '../users-of-log.js';

export type TripSource =
  | { readonly kind: 'topics' | 'locations' }
  | { readonly kind: 'parquet'; readonly path: string };

export interface TrainOptions {
  readonly from: TripSource;
  /** Unix milliseconds. */
  readonly since?: number;
  readonly users?: string;
  readonly dryRun?: boolean;
  readonly force?: boolean;
  readonly json?: boolean;
}

const tripsPerReport = 10_000;
const usersPerReport = 100;

/** Trains on past trips, compares, and publishes what is not worse. Progress goes to stderr. */
export async function trainArrivals(options: TrainOptions): Promise<void> {
  const { from, since = 0, users, dryRun = false, force = false, json = false } = options;
  if (users !== undefined && from.kind !== 'locations')
    throw new CommandFailed('--users goes with --from locations.', exitCode.usage);
  if (dryRun && force) throw new CommandFailed('Use --dry-run or --force, not both.', exitCode.usage);
  const config = readSettings();
  refuseLogWithoutRegistry(config);
  const objects = await openObjects(config);
  try {
    const release = await currentRelease(objects);
    if (release === undefined)
      throw new CommandFailed('There is no map. Run `meridian tiles build` first.', exitCode.notFound);
    const { tilesetId } = release;
    const history = await gather(sourceOf(config, objects, tilesetId, options), since);
    const store = new ArrivalModelStore(objects, tilesetId);
    const prior = arrivalPrior(tilesetId);
    const present = await store.newest();
    const trained = await trainFromHistory(history.trips(), {
      tilesetId,
      prior,
      before: present ?? unsteeredPrior(prior),
    });
    if (trained === undefined)
      throw new CommandFailed(
        `Training takes at least ${historyTripsMin} trips on this map; there are ${history.count}` +
          `${history.implausible === 0 ? '' : `, and ${history.implausible} implausible ones`}.`,
        exitCode.notFound,
      );
    const isWorse = trained.after.mape > trained.before.mape;
    const published = dryRun || (isWorse && !force) ? undefined : (await store.newestVersion()) + 1;
    if (published !== undefined) await store.publish({ ...trained.model, version: published });
    const before = present === undefined ? 'prior' : `version ${present.version}`;
    console.log(json ? jsonOf(trained, published) : textOf(trained, before, published));
    if (isWorse && !force && !dryRun)
      throw new CommandFailed('The new model is worse and was not published. --force publishes it.');
  } catch (error) {
    if (error instanceof UnreadableTrips) throw new CommandFailed(error.message);
    throw error;
  } finally {
    await objects.close();
  }
}

async function gather(trips: AsyncIterable<FinishedTrip>, sinceMs: number): Promise<TripHistory> {
  const history = new TripHistory();
  let read = 0;
  for await (const trip of trips) {
    if (++read % tripsPerReport === 0) console.error(`${read} trips read`);
    if (!(trip.departMs < sinceMs)) history.add(trip);
  }
  console.error(`${read} trips read, ${history.count} used`);
  return history;
}

function sourceOf(
  config: Config,
  objects: ObjectStore,
  tilesetId: string,
  { from, since = 0, users }: TrainOptions,
): AsyncIterable<FinishedTrip> {
  switch (from.kind) {
    case 'topics':
      return topicTrips(config, tilesetId);
    case 'parquet':
      return tripsOfParquet(from.path, tilesetId);
    case 'locations':
      return locationTrips(config, objects, tilesetId, since, users);
  }
}

async function* topicTrips(config: Config, tilesetId: string): AsyncGenerator<FinishedTrip> {
  const log = await openLog(config, silentLogger);
  const registry = await openRegistry(config);
  try {
    await log.createTopics(topics);
    yield* tripsOfTopic(log, await openTopicCodecs(registry), tilesetId);
  } finally {
    await log.close();
    await registry.close();
  }
}

async function* locationTrips(
  config: Config,
  objects: ObjectStore,
  tilesetId: string,
  fromMs: number,
  usersFile: string | undefined,
): AsyncGenerator<FinishedTrip> {
  const users = usersFile === undefined ? await loggedUsers(config) : await usersOfFile(usersFile);
  console.error(`${users.length} users`);
  const network = await openTileset(objects, tilesetId);
  const weeks = await TypicalWeeks.open({ objects, tilesetId, logger: silentLogger });
  const store = await openLocations(config);
  try {
    await store.prepare();
    yield* tripsOfLocations({
      ...{ store, users, network, fromMs, toMs: Date.now() },
      typicalRatio: (edgeId, atMs) => weeks.ratio(edgeId, atMs),
      onUser(done, drives) {
        if (done % usersPerReport === 0) console.error(`${done} of ${users.length} users, ${drives} drives`);
      },
    });
  } finally {
    weeks.close();
    await store.close();
  }
}

async function loggedUsers(config: Config): Promise<readonly string[]> {
  const log = await openLog(config, silentLogger);
  try {
    await log.createTopics(topics);
    return await usersOfLog(log);
  } finally {
    await log.close();
  }
}

async function usersOfFile(file: string): Promise<readonly string[]> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw new CommandFailed(`${file} cannot be read: ${(error as Error).message}`, exitCode.usage);
  }
  return [...new Set(text.split('\n').map((line) => line.trim()))].filter((line) => line !== '');
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

function textOf(trained: HistoryTraining, before: string, published: number | undefined): string {
  const { trips, heldBack } = trained;
  const row = (name: string, { mape, covered }: HistoryTraining['after']): string =>
    name.padEnd(24) +
    percent(mape).padStart(8) +
    (covered === undefined ? '–' : percent(covered)).padStart(16);
  return [
    `${trips} trips, the newest ${heldBack} of them held back`,
    `${''.padEnd(24)}${'error'.padStart(8)}${'in the interval'.padStart(16)}`,
    row('free flow', trained.freeFlow),
    row(`before: ${before}`, trained.before),
    row('after', trained.after),
    published === undefined ? 'not published' : `published as version ${published}`,
  ].join('\n');
}

const jsonOf = (
  { trips, heldBack, freeFlow, before, after }: HistoryTraining,
  published: number | undefined,
): string =>
  JSON.stringify({
    ...{ trips, heldBack, freeFlow, before, after },
    ...{ published: published !== undefined, version: published ?? null },
  });
