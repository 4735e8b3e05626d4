import type { Command } from 'commander';
import { extractFile } from '../options/arguments.js';

export function addApiCommand(program: Command): void {
  program
    .command('api')
    .description('run the public gateway alone: navigation, incidents, traffic, map, page, pushes')
    .option('--osm <file>', 'an OpenStreetMap extract; without one the default map', extractFile)
    .action(async ({ osm }: { osm?: string }) => {
      const { runApi } = await import('../programs/api.js');
      await runApi(osm);
    });
}
