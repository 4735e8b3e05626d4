import type { ObjectStore } from '#platform/object-store/object-store.js';
import type { Logger } from '#platform/telemetry/logger.js';
import {
  type ArrivalModel,
  decodeArrivalModel,
  UnreadableArrivalModel,
} from '#routing-engine/arrival-times/arrival-model.js';
import { unsteeredPrior } from '#routing-engine/arrival-times/steering.js';
import { usablePrior } from './arrival-prior.js';

/** Where `processors/arrival-times` stores a version of the model; without a version, the folder of all. */
export function arrivalModelKey(tilesetId: string, version?: number): string {
  const folder = `arrival-times/${tilesetId}/`;
  return version === undefined ? folder : `${folder}${String(version).padStart(15, '0')}.json`;
}

export interface ArrivalModelsOptions {
  readonly objects: ObjectStore;
  readonly tilesetId: string;
  readonly logger: Logger;
  /** Milliseconds between two polls for a new version. */
  readonly everyMs?: number;
}

/** In its first minutes a platform learns from every trip. */
const pollMs = 15_000;

/**
 * The newest readable model of arrival times; a damaged one is skipped, and the previous one answers. Where
 * nothing was learned the prior answers.
 */
export class ArrivalModels {
  readonly #options: ArrivalModelsOptions;
  readonly #prior: ArrivalModel | undefined;
  #current: ArrivalModel | undefined;
  #currentKey = '';
  #timer: NodeJS.Timeout | undefined;

  /** Resolves when the model was read, or could not be read: arrival times work without one. */
  static async open(options: ArrivalModelsOptions): Promise<ArrivalModels> {
    const models = new ArrivalModels(options);
    const look = (): Promise<void> =>
      models
        .refresh()
        .catch((error: Error) =>
          options.logger.warn('Models of arrival times could not be listed.', { cause: error.message }),
        );
    await look();
    models.#timer = setInterval(() => void look(), options.everyMs ?? pollMs);
    models.#timer.unref();
    return models;
  }

  private constructor(options: ArrivalModelsOptions) {
    this.#options = options;
    const prior = usablePrior(options.tilesetId, options.logger);
    this.#prior = prior && unsteeredPrior(prior);
  }

  /** Undefined only when nothing was learned and the file of the prior is damaged. */
  get current(): ArrivalModel | undefined {
    return this.#current ?? this.#prior;
  }

  /** Rejects if the store does not answer. */
  async refresh(): Promise<void> {
    const { objects, tilesetId, logger } = this.#options;
    const keys: string[] = [];
    for await (const key of objects.list(arrivalModelKey(tilesetId))) keys.push(key);
    for (const key of keys.toReversed()) {
      if (key === this.#currentKey) return;
      const bytes = await objects.get(key);
      if (bytes === undefined) continue;
      try {
        this.#current = decodeArrivalModel(bytes, tilesetId);
        this.#currentKey = key;
        return;
      } catch (error) {
        if (!(error instanceof UnreadableArrivalModel)) throw error;
        logger.error('A model of arrival times cannot be read and is skipped.', {
          key,
          cause: error.message,
        });
      }
    }
  }

  close(): void {
    clearInterval(this.#timer);
  }
}
