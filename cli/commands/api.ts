import type { Command } from 'commander';
import { extractFile } from '../options/arguments.js';

export function addApiCommand(program: Command): void {
  program
    .command('api')
    .description('run only the public gateway: navigation, incidents, traffic, map, pages, pushes')
    .option('--osm <file>', 'an OpenStreetMap extract, .osm.pbf; default: Malta', extractFile)
    .action(async ({ osm }: { osm?: string }) => {
      const { runApi } = await import('../programs/api.js');
      await runApi(osm);
    });
}
