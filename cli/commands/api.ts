import type { Command } from 'commander';
import { openObjects } from '../adapters.js';
import { awaitPort, openLogAndCodecs, runMeridian } from '../context.js';
import { openMap } from '../open-map.js';
import { serve, tokenIssuer } from '../serve.js';
import { followMetric, startApi, startRoutePool } from '../start-api.js';
import { openLocationStore } from '../start-ingest.js';

export function addApiCommand(program: Command): void {
  program
    .command('api')
    .description('run the public gateway alone: navigation, incidents, traffic, map, pushes')
    .option('--osm <file>', 'an OpenStreetMap extract; without one the default map')
    .action(({ osm }: { osm?: string }) =>
      runMeridian('api', async (context) => {
        const issuer = await tokenIssuer(context);
        const objects = await awaitPort(context, 'object store', () => openObjects(context.config));
        const map = await openMap(context.config, objects, osm);
        const events = await openLogAndCodecs(context);
        const locations = await openLocationStore(context);
        const metric = await followMetric(context, events, objects, map.network);
        const pool = startRoutePool(context, map.network);
        const api = await startApi(context, { events, map, metric, pool, locations, issuer });
        await serve(context, issuer, { routes: api.routes, sockets: api.sockets });
      }),
    );
}
