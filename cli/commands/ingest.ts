import { Argument, type Command } from 'commander';
import { openLogAndCodecs, runMeridian } from '../context.js';
import { serve, tokenIssuer } from '../serve.js';
import { doorRoutes, openLiveCache, openLocationStore, startWriter } from '../start-ingest.js';

const parts = ['door', 'writer'] as const;

export function addIngestCommand(program: Command): void {
  program
    .command('ingest')
    .description('run the ingest tier alone: POST /v1/locations, and the writer of the location store')
    .addArgument(new Argument('[part]', 'one of the two; without it both').choices(parts))
    .action((part?: (typeof parts)[number]) =>
      runMeridian('ingest', async (context) => {
        const issuer = await tokenIssuer(context);
        const events = await openLogAndCodecs(context);
        if (part !== 'door') await startWriter(context, events, await openLocationStore(context));
        const routes = part === 'writer' ? [] : doorRoutes(context, events, await openLiveCache(context));
        await serve(context, issuer, { routes });
      }),
    );
}
