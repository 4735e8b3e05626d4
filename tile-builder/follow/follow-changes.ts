import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import {
  afterChange,
  type BuilderProgress,
  initialProgress,
  readProgress,
  writeProgress,
} from '#map-data/release/builder-progress.js';
import type { OsmChange } from '#osm/change/osm-change.js';
import { readOsmChange } from '#osm/change/read-osm-change.js';
import { type ObjectStore, ObjectStoreUnavailable } from '#platform/object-store/object-store.js';
import { InvalidMapSource } from '#schemas/osm-sink.js';
import type { BuiltRelease, ReleaseOptions } from '../build-release.js';
import { followLimits } from './limits.js';
import { ChangesMissing, listChanges } from './list-changes.js';
import { ReleaseBuilder } from './release-builder.js';
import { waitingChanges } from './waiting-changes.js';

export interface FollowOptions extends ReleaseOptions {
  /** An `.osm.pbf` in the order of its ids. */
  readonly extract: string;
  /** The folder of change files, whose names ascend. */
  readonly folder: string;
  /** Between two polls of the folder. */
  readonly intervalMs: number;
  /** Fires to stop; a running build ends first. */
  readonly signal: AbortSignal;
  readonly onRelease: (release: FollowedRelease) => Promise<void>;
  /** A file is damaged or missing, or the store is unavailable; it is checked again. */
  readonly onFault: (fault: Error) => void | Promise<void>;
}

export interface FollowedRelease extends BuiltRelease {
  /** Change files in this build. */
  readonly newFiles: number;
  readonly standing: BuilderProgress;
}

/**
 * Builds an extract with the changes of a folder, and builds again when new ones arrive, all waiting ones in
 * one build, until it is stopped. A restarted builder with the same extract applies the same files again in
 * memory and continues. Throws `InvalidMapSource`, `InvalidOsmChange` and `ChangesMissing`; everything before
 * the faulty file is built and served.
 */
export async function followChanges(objects: ObjectStore, options: FollowOptions): Promise<void> {
  const { extract, folder, intervalMs, signal, onRelease, onFault } = options;
  const { builder, sha256 } = await readWhole(extract, objects, options);
  const reached = options.reuse === false ? undefined : await readProgress(objects);
  const changes = new FollowedChanges(folder, builder, initialProgress(sha256));
  let fault = await changes.take(reached?.extractSha256 === sha256 ? reached : undefined);
  let [served, looks]: [BuilderProgress | undefined, number] = [undefined, 0];
  while (!signal.aborted) {
    const { standing } = changes;
    if (served !== standing) {
      const newFiles = standing.files - (served?.files ?? 0);
      const built = await unlessAway(onFault, async () => {
        const release = await builder.build();
        await writeProgress(objects, standing);
        return release;
      });
      if (built !== undefined) {
        await onRelease({ ...built, newFiles, standing });
        served = standing;
      }
    }
    if (fault !== undefined) {
      if (looks >= followLimits.looksAgainMax) throw fault;
      await onFault(fault);
    }
    await delay(intervalMs, undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
    fault = await changes.take();
    looks = fault === undefined || changes.standing !== standing ? 0 : looks + 1;
  }
}

/** Undefined if the store did not answer: the next poll builds it. */
async function unlessAway<Result>(
  onFault: FollowOptions['onFault'],
  build: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await build();
  } catch (error) {
    if (!(error instanceof ObjectStoreUnavailable)) throw error;
    await onFault(error);
    return undefined;
  }
}

/** The change files of a folder, and how many of them are applied to a builder's map. */
class FollowedChanges {
  readonly #folder: string;
  readonly #builder: ReleaseBuilder;
  standing: BuilderProgress;

  constructor(folder: string, builder: ReleaseBuilder, standing: BuilderProgress) {
    this.#folder = folder;
    this.#builder = builder;
    this.standing = standing;
  }

  /**
   * Applies all waiting files up to the first damaged or missing one, which is returned. `reached`: the
   * progress of a previous builder; throws `ChangesMissing` if its files are not applied again.
   */
  async take(reached?: BuilderProgress): Promise<Error | undefined> {
    const waiting = waitingChanges(await listChanges(this.#folder), this.standing);
    let fault: Error | undefined = waiting.fault;
    let gathered = gatheredChange();
    for (const name of waiting.names) {
      try {
        const { change, sha256 } = await readOsmChange(join(this.#folder, name));
        gather(change, gathered);
        this.standing = afterChange(this.standing, name, sha256);
      } catch (error) {
        fault = error as Error;
        break;
      }
      if (this.standing.files === reached?.files) this.#expect(reached);
      if (sizeOf(gathered) < followLimits.elementsAtOnceMax) continue;
      this.#builder.apply(gathered);
      gathered = gatheredChange();
    }
    if (sizeOf(gathered) > 0) this.#builder.apply(gathered);
    if (reached !== undefined && this.standing.files < reached.files) this.#expect(reached);
    return fault;
  }

  #expect({ files, last, chain }: BuilderProgress): void {
    if (this.standing.chain !== chain)
      throw new ChangesMissing(
        `${this.#folder}: the release was built of ${files} change files up to ${last}, ` +
          'which are not there any more as they were; put them back, ' +
          'or start with a newer extract and the changes since, or with --from-scratch',
      );
  }
}

type Gathered = { readonly [Kind in keyof OsmChange]: Map<number, unknown> } & OsmChange;

const gatheredChange = (): Gathered => ({ nodes: new Map(), ways: new Map(), relations: new Map() });

const sizeOf = ({ nodes, ways, relations }: OsmChange): number => nodes.size + ways.size + relations.size;

/** What comes later counts. */
function gather(change: OsmChange, gathered: Gathered): void {
  for (const kind of ['nodes', 'ways', 'relations'] as const)
    for (const [id, element] of change[kind]) gathered[kind].set(id, element);
}

/**
 * What the builder holds and the hash are of one file: that of another would let what is served pass for what
 * it is not.
 */
async function readWhole(
  extract: string,
  objects: ObjectStore,
  options: ReleaseOptions,
): Promise<{ readonly builder: ReleaseBuilder; readonly sha256: string }> {
  const before = await stat(extract).catch(() => undefined);
  const builder = await ReleaseBuilder.read({ kind: 'osm-pbf', file: extract }, objects, options);
  const sha256 = await sha256Of(extract);
  const after = await stat(extract);
  if (before?.ino !== after.ino || before.size !== after.size || before.mtimeMs !== after.mtimeMs)
    throw new InvalidMapSource(`${extract} was exchanged while it was read: begin again with the new one.`);
  return { builder, sha256 };
}

async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
