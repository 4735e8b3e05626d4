import type { EventLog } from '#platform/event-log/event-log.js';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import { each } from '#platform/stream/input.js';
import type { StreamLimits } from '#platform/stream/limits.js';
import { deadLetter, ok } from '#platform/stream/outcome.js';
import { type Processor, startProcessor } from '#platform/stream/start-processor.js';
import type { Logger } from '#platform/telemetry/logger.js';
import type { MapSquarePlanned } from '#schemas/messages.js';
import { renderSquare } from '../build/squares/render-square.js';
import { decodeSquareInput, InvalidSquareInput, nameOfSquare } from '../build/squares/square-input.js';
import type { ShareDeps } from './distribute-squares.js';

export interface SquareWorkDeps extends Pick<ShareDeps, 'codecs' | 'clock'> {
  readonly log: EventLog;
  readonly objects: ObjectStore;
  readonly logger?: Logger;
  readonly limits?: Partial<StreamLimits>;
  /** Called when a square was drawn, with the tiles of it. */
  readonly onDrawn?: (square: string, tiles: number) => void;
}

/**
 * Renders the squares that builds plan, as one member of the group `map-squares`. Any number may run, on any
 * machine that reaches the log and the objects. A square depends only on its input and its object keys follow
 * from the content, so rendering it twice changes nothing.
 */
export function renderPlannedSquares(deps: SquareWorkDeps): Promise<Processor> {
  const { log, objects, codecs, logger, onDrawn, clock = Date.now } = deps;
  const draw = async ({ inputKey, buildId, ...place }: MapSquarePlanned) => {
    const bytes = await objects.get(inputKey);
    if (bytes === undefined)
      throw new InvalidSquareInput(`${inputKey}: it is not in the object store; its build may have ended`);
    const { vector, png, cutTiles } = await renderSquare(decodeSquareInput(inputKey, bytes), objects);
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
      // One at a time, so that another member takes over little work.
      limits: { batchRecordsMax: 1, ...deps.limits },
      ...(logger === undefined ? {} : { logger }),
      ...(deps.clock === undefined ? {} : { clock: deps.clock }),
    },
  );
}
