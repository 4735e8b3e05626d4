import type { ObjectStore } from '#platform/object-store/object-store.js';
import {
  type ArrivalModel,
  decodeArrivalModel,
  encodeArrivalModel,
  UnreadableArrivalModel,
} from '#routing-engine/arrival-times/arrival-model.js';
import { arrivalModelKey } from './arrival-models.js';

const versionsKept = 3;
const versionDigits = /(\d+)\.json$/u;

/** The published models of a tileset, for those who write them. */
export class ArrivalModelStore {
  readonly #objects: ObjectStore;
  readonly #tilesetId: string;

  constructor(objects: ObjectStore, tilesetId: string) {
    this.#objects = objects;
    this.#tilesetId = tilesetId;
  }

  /** Of the newest model, readable or not; 0 when there is none. */
  async newestVersion(): Promise<number> {
    return versionOf((await this.#keys()).at(-1));
  }

  /** The newest readable model, under the version of the newest one. */
  async newest(): Promise<ArrivalModel | undefined> {
    const keys = await this.#keys();
    for (const key of keys.toReversed()) {
      const bytes = await this.#objects.get(key);
      if (bytes === undefined) continue;
      try {
        return { ...decodeArrivalModel(bytes, this.#tilesetId), version: versionOf(keys.at(-1)) };
      } catch (error) {
        if (!(error instanceof UnreadableArrivalModel)) throw error;
      }
    }
    return undefined;
  }

  /** Writes a version and deletes old ones. The same version may be written again. */
  async publish(model: ArrivalModel): Promise<void> {
    await this.#objects.put(arrivalModelKey(this.#tilesetId, model.version), encodeArrivalModel(model));
    for (const key of (await this.#keys()).slice(0, -versionsKept)) await this.#objects.delete(key);
  }

  async #keys(): Promise<string[]> {
    const keys: string[] = [];
    for await (const key of this.#objects.list(arrivalModelKey(this.#tilesetId))) keys.push(key);
    return keys;
  }
}

const versionOf = (key: string | undefined): number => Number(key?.match(versionDigits)?.[1] ?? 0);
