import { renderPlannedSquares } from '#map-tiles/over-log/render-squares.js';
import { openObjects } from '../adapters.js';
import { awaitPort, openLogAndCodecs, runMeridian } from '../context.js';

/** Renders planned squares of maps until it is stopped. */
export const runTilesWork = (): Promise<void> =>
  runMeridian(
    'tiles-work',
    async (context) => {
      const objects = await awaitPort(context, 'object store', () => openObjects(context.config));
      const { log, codecs } = await openLogAndCodecs(context);
      const { logger } = context;
      const work = await renderPlannedSquares({
        ...{ log, codecs, objects, logger },
        onDrawn: (square, tiles) => logger.info('rendered a build tile', { square, tiles }),
      });
      context.onStop('squares', () => work.close());
      await work.ready;
      logger.info('waiting for build tiles');
    },
    { listens: false },
  );
