import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Logger } from '#platform/telemetry/logger.js';
import { type ArrivalModel, decodeArrivalModel } from '#routing-engine/arrival-times/arrival-model.js';

/** In the file, where the id of a tileset is in other models. */
export const anyTileset = 'any';
const file = 'arrival-prior.model';

/**
 * The model of arrival times of a place of which no trip is known, version 0; README.md says what it was
 * trained on. Throws `UnreadableArrivalModel`, or the error of the file system.
 */
export function arrivalPrior(tilesetId: string, fromFile = arrivalPriorFile()): ArrivalModel {
  return { ...decodeArrivalModel(readFileSync(fromFile), anyTileset), tilesetId };
}

/** The compiled tree has no copy of the file: that of the sources is used, above it. */
export function arrivalPriorFile(): string {
  for (let above = dirname(fileURLToPath(import.meta.url)); ; above = dirname(above)) {
    const found = join(above, 'map-data', 'learned', file);
    if (existsSync(found) || dirname(above) === above) return found;
  }
}

/** The prior, or undefined when its file is damaged: the metric's times are answered then. */
export function usablePrior(
  tilesetId: string,
  logger: Pick<Logger, 'error'>,
  fromFile?: string,
): ArrivalModel | undefined {
  try {
    return arrivalPrior(tilesetId, fromFile);
  } catch (error) {
    logger.error('The prior of arrival times cannot be read. Install Meridian again.', {
      cause: (error as Error).message,
    });
    return undefined;
  }
}
