import { learntArrivalTimes } from '#api/arrival-times/learnt-arrival-times.js';
import type { ArrivalTimes } from '#api/ports/arrival-times.js';
import { ArrivalModels } from '#map-data/learned/arrival-models.js';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import type { Context } from '../context.js';
import { typicalRatio } from './typical-ratio.js';

/** The newest model of arrival times in the object store; followed until the program stops. */
export async function followArrivalModels(
  context: Context,
  objects: ObjectStore,
  tilesetId: string,
): Promise<ArrivalModels> {
  const models = await ArrivalModels.open({ objects, tilesetId, logger: context.logger });
  context.onStop('models of arrival times', () => models.close());
  return models;
}

/** Arrival times by the newest model in the object store. */
export async function openArrivalTimes(
  context: Context,
  objects: ObjectStore,
  network: RoadNetwork,
): Promise<ArrivalTimes> {
  const { tilesetId } = network;
  const models = await followArrivalModels(context, objects, tilesetId);
  return learntArrivalTimes({
    network,
    typicalRatio: await typicalRatio(context, objects, tilesetId),
    model: () => models.current,
    logger: context.logger,
  });
}
