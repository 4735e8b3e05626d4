import { Argument, type Command } from 'commander';
import { openObjects } from '../adapters.js';
import { awaitPort, openLogAndCodecs, runMeridian } from '../context.js';
import { openMap } from '../open-map.js';
import { serve, tokenIssuer } from '../serve.js';
import { followMetric, startRoutePool } from '../start-api.js';
import { type Group, groups, startProcessors } from '../start-processors.js';

export function addProcessorsCommand(program: Command): void {
  program
    .command('processors')
    .description('run consumer groups alone; without a name all of them')
    .addArgument(new Argument('[groups...]', 'which').choices(groups))
    .option('--osm <file>', 'an OpenStreetMap extract; without one the default map')
    .action((names: readonly Group[], { osm }: { osm?: string }) =>
      runMeridian('processors', async (context) => {
        const wanted = names.length === 0 ? groups : names;
        const issuer = await tokenIssuer(context);
        const objects = await awaitPort(context, 'object store', () => openObjects(context.config));
        const { network } = await openMap(context.config, objects, osm);
        const events = await openLogAndCodecs(context);
        const routing = wanted.includes('reroute')
          ? {
              metric: await followMetric(context, events, objects, network),
              pool: startRoutePool(context, network),
            }
          : undefined;
        await startProcessors(context, wanted, {
          events,
          objects,
          network,
          ...(routing === undefined ? {} : { routing }),
        });
        await serve(context, issuer, { routes: [] });
      }),
    );
}
