import type { ObjectStore } from '#platform/object-store/object-store.js';
import {
  decodeArrivalModel,
  encodeArrivalModel,
  UnreadableArrivalModel,
} from '#routing-engine/arrival-times/arrival-model.js';
import { arrivalModelKey } from './arrival-models.js';

/**
 * Copies learned data from replaced roads to the new ones: the newest model of arrival times, and the typical
 * weeks, whose edge ids are valid on both. Existing data is not changed, so the call may be repeated.
 */
export async function carryLearnt(
  objects: ObjectStore,
  fromTileset: string,
  toTileset: string,
): Promise<void> {
  for await (const key of objects.list(`typical-week/${fromTileset}/`)) {
    const bytes = await objects.get(key);
    if (bytes !== undefined) await objects.putIfAbsent(key.replace(fromTileset, toTileset), bytes);
  }
  let newest: string | undefined;
  for await (const key of objects.list(arrivalModelKey(fromTileset))) newest = key;
  const bytes = newest === undefined ? undefined : await objects.get(newest);
  if (newest === undefined || bytes === undefined) return;
  try {
    const model = decodeArrivalModel(bytes, fromTileset);
    const carried = encodeArrivalModel({ ...model, tilesetId: toTileset });
    await objects.putIfAbsent(arrivalModelKey(toTileset, model.version), carried);
  } catch (error) {
    // An unreadable model is not used; arrival times work without one until the next is trained.
    if (!(error instanceof UnreadableArrivalModel)) throw error;
  }
}
