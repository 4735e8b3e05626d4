import { Argument, type Command } from 'commander';
import { extractFile } from '../options/arguments.js';
import { type Group, groups } from '../options/groups.js';

export function addProcessorsCommand(program: Command): void {
  program
    .command('processors')
    .description('run consumer groups alone; without a name all of them')
    .addArgument(new Argument('[groups...]', 'which').choices(groups))
    .option('--osm <file>', 'an OpenStreetMap extract; without one the default map', extractFile)
    .action(async (names: readonly Group[], { osm }: { osm?: string }) => {
      const { runProcessors } = await import('../programs/processors.js');
      await runProcessors(names, osm);
    });
}
