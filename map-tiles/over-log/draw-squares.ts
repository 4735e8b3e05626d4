import type { EventLog } from '#platform/event-log/event-log.js';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import { each } from '#platform/stream/input.js';
import type { StreamLimits } from '#platform/stream/limits.js';
import { deadLetter, ok } from '#platform/stream/outcome.js';
import { type Processor, startProcessor } from '#platform/stream/start-processor.js';
import type { Logger } from '#platform/telemetry/logger.js';
import type { MapSquarePlanned } from '#schemas/messages.js';
import { drawSquare } from '../build/draw-square.js';
import { decodeSquareInput, InvalidSquareInput, nameOfSquare } from '../build/square-input.js';
import type { ShareDeps } from './share-squares.js';

export interface SquareWorkDeps extends Pick<ShareDeps, 'codecs' | 'clock'> {
  readonly log: EventLog;
  readonly objects: ObjectStore;
  readonly logger?: Logger;
  readonly limits?: Partial<StreamLimits>;
  /** Called when a square was drawn, with the tiles of it. */
  readonly onDrawn?: (square: string, tiles: number) => void;
}

/**
 * Draws the squares that builds plan, as one member of the group `map-squares`; any number may run, on any
 * machine that reaches the log and the objects. A square is drawn from its input alone and its objects are
 * named by content, so that drawing it twice changes nothing.
 */
export function drawPlannedSquares(deps: SquareWorkDeps): Promise<Processor> {
  const { log, objects, codecs, logger, onDrawn, clock = Date.now } = deps;
  const draw = async ({ inputKey, buildId, ...place }: MapSquarePlanned) => {
    const bytes = await objects.get(inputKey);
    if (bytes === undefined)
      throw new InvalidSquareInput(`${inputKey}: it is not in the object store; its build may have ended`);
    const { vector, png, cutTiles } = await drawSquare(decodeSquareInput(inputKey, bytes), objects);
    const { z, x, y } = place;
    return { buildId, z, x, y, vector, png, cutTiles, drawnMs: clock() };
  };
  return startProcessor(
    {
      group: 'map-squares',
      startAt: 'earliest',
      inputs: [
        each(codecs.mapSquarePlanned, async ({ key, message }, context) => {
          try {
            const drawn = await draw(message);
            context.emit(codecs.mapSquareDrawn, key, drawn);
            onDrawn?.(nameOfSquare(message), drawn.cutTiles);
            return ok;
          } catch (error) {
            if (error instanceof InvalidSquareInput) return deadLetter('undrawable', error);
            throw error;
          }
        }),
      ],
    },
    {
      log,
      deadLetters: codecs.deadLetter,
      // One at a time: what another member might take over is small then.
      limits: { batchRecordsMax: 1, ...deps.limits },
      ...(logger === undefined ? {} : { logger }),
      ...(deps.clock === undefined ? {} : { clock: deps.clock }),
    },
  );
}
