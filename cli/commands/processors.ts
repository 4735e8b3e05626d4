import { Argument, type Command } from 'commander';
import { extractFile } from '../options/arguments.js';
import { type Group, groups } from '../options/groups.js';

export function addProcessorsCommand(program: Command): void {
  program
    .command('processors')
    .description('run only consumer groups; default all')
    .addArgument(new Argument('[groups...]', 'which').choices(groups))
    .option('--osm <file>', 'an OpenStreetMap extract, .osm.pbf; default: Malta', extractFile)
    .action(async (names: readonly Group[], { osm }: { osm?: string }) => {
      const { runProcessors } = await import('../programs/processors.js');
      await runProcessors(names, osm);
    });
}
