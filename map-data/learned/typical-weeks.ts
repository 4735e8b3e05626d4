import type { ObjectStore } from '#platform/object-store/object-store.js';
import type { Logger } from '#platform/telemetry/logger.js';
import { TypicalWeek, UnreadableTypicalWeek } from '#routing-engine/network/typical-week.js';

/** Where a partition of `processors/typical-week` stores a version; without a time, the folder of all. */
export function typicalWeekKey(tilesetId: string, partition: number, effectiveFromMs?: number): string {
  const folder = `typical-week/${tilesetId}/${String(partition).padStart(5, '0')}/`;
  return effectiveFromMs === undefined
    ? folder
    : `${folder}${String(effectiveFromMs).padStart(15, '0')}.week`;
}

export interface TypicalWeeksOptions {
  readonly objects: ObjectStore;
  readonly tilesetId: string;
  readonly logger: Logger;
  /** Milliseconds between two polls for new versions. */
  readonly everyMs?: number;
}

/**
 * The usual speeds of the roads at each half-hour of the week, as far as they are learned. Reads the versions
 * in the object store and polls for new ones. The version that answers depends only on the requested time, so
 * a replay gets the same answers as the first run. A damaged file is skipped, and the previous version
 * answers.
 */
export class TypicalWeeks {
  readonly #options: TypicalWeeksOptions;
  /** By folder, newest first. */
  #byFolder: ReadonlyMap<string, readonly TypicalWeek[]> = new Map();
  readonly #read = new Map<string, TypicalWeek | undefined>();
  #timer: NodeJS.Timeout | undefined;

  /** Resolves when the versions were read. Rejects if the store does not answer. */
  static async open(options: TypicalWeeksOptions): Promise<TypicalWeeks> {
    const weeks = new TypicalWeeks(options);
    await weeks.refresh();
    const { everyMs = 60_000, logger } = options;
    weeks.#timer = setInterval(() => {
      weeks
        .refresh()
        .catch((error: Error) => logger.warn('Typical weeks could not be listed.', { cause: error.message }));
    }, everyMs);
    weeks.#timer.unref();
    return weeks;
  }

  private constructor(options: TypicalWeeksOptions) {
    this.#options = options;
  }

  /**
   * Typical duration of the edge at that time as a multiple of free flow; undefined if nothing was learned.
   */
  ratio(edgeId: string, atMs: number): number | undefined {
    for (const versions of this.#byFolder.values()) {
      const ratio = versions.find(({ effectiveFromMs }) => effectiveFromMs <= atMs)?.ratio(edgeId, atMs);
      if (ratio !== undefined) return ratio;
    }
    return undefined;
  }

  async refresh(): Promise<void> {
    const { objects, tilesetId, logger } = this.#options;
    const byFolder = new Map<string, TypicalWeek[]>();
    const present = new Set<string>();
    for await (const key of objects.list(`typical-week/${tilesetId}/`)) {
      present.add(key);
      if (!this.#read.has(key)) this.#read.set(key, await readWeek(objects, key, logger));
      const week = this.#read.get(key);
      const folder = key.slice(0, key.lastIndexOf('/'));
      if (week !== undefined) byFolder.set(folder, [week, ...(byFolder.get(folder) ?? [])]);
    }
    for (const key of this.#read.keys()) if (!present.has(key)) this.#read.delete(key);
    this.#byFolder = byFolder;
  }

  close(): void {
    clearInterval(this.#timer);
  }
}

/** Undefined for an unusable file, or one that was removed meanwhile. */
async function readWeek(objects: ObjectStore, key: string, logger: Logger): Promise<TypicalWeek | undefined> {
  const bytes = await objects.get(key);
  if (bytes === undefined) return undefined;
  try {
    return TypicalWeek.from(bytes);
  } catch (error) {
    if (!(error instanceof UnreadableTypicalWeek)) throw error;
    logger.error('A typical week cannot be read and is skipped.', { key, cause: error.message });
    return undefined;
  }
}
