import { type Command, Option } from 'commander';
import { avoidable } from '#routing-engine/network/edge-flags.js';
import { travelModes } from '#routing-engine/network/travel-mode.js';
import { positiveNumber } from '../options/arguments.js';
import type { RouteOptions } from '../programs/route.js';

export function addRouteCommand(program: Command): void {
  program
    .command('route')
    .argument('<from>', 'lat,lng')
    .argument('<to>', 'lat,lng')
    .description('search a route on the current tiles, on empty roads, and print its steps')
    .addOption(new Option('--mode <mode>', 'how to travel').choices(travelModes).default('driving'))
    .addOption(
      new Option('--avoid <what...>', 'never use these roads').choices(Object.keys(avoidable)).default([]),
    )
    .option('--language <code>', 'language of the steps', 'en')
    .addOption(
      new Option('--memory <MiB>', 'memory that the roads of loaded cells may take')
        .argParser(positiveNumber)
        .default(256),
    )
    .option('--json', 'as JSON, with the line as an encoded polyline')
    .addHelpText(
      'after',
      '\nExits with 2 where a place or an option is wrong, with 3 where there are no tiles, no road near or no way.' +
        '\n\nExample:\n  npx meridian route 57.7089,11.9746 57.6895,11.9985',
    )
    .action(async (from: string, to: string, options: RouteOptions) => {
      const { printRoute } = await import('../programs/route.js');
      await printRoute(from, to, options);
    });
}
