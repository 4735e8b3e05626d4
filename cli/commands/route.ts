import { type Command, Option } from 'commander';
import { avoidable } from '#routing-engine/network/edge-flags.js';
import { travelModes } from '#routing-engine/network/travel-mode.js';
import { positiveNumber } from '../options/arguments.js';
import { vehicleOption } from '../options/vehicle.js';
import type { RouteOptions } from '../programs/route.js';

export function addRouteCommand(program: Command): void {
  program
    .command('route')
    .argument('<from>', 'lat,lng')
    .argument('<to>', 'lat,lng')
    .description('find a route on the current tiles without traffic and print its steps')
    .addOption(new Option('--mode <mode>', 'how to travel').choices(travelModes).default('driving'))
    .addOption(
      new Option('--avoid <what...>', 'never use these roads').choices(Object.keys(avoidable)).default([]),
    )
    .addOption(vehicleOption('height', 'metres', 4))
    .addOption(vehicleOption('width', 'metres', 2.55))
    .addOption(vehicleOption('length', 'metres', 16.5))
    .addOption(vehicleOption('weight', 'tonnes', 40))
    .addOption(vehicleOption('axle_load', 'tonnes', 11.5))
    .option('--hazmat', 'the truck carries dangerous goods')
    .option('--language <code>', 'language of the steps', 'en')
    .addOption(
      new Option('--memory <MiB>', 'memory limit for the roads of loaded cells')
        .argParser(positiveNumber)
        .default(256),
    )
    .option('--json', 'as JSON, with the line as an encoded polyline')
    .addHelpText(
      'after',
      '\nExit codes: 2 if a place or an option is wrong, 3 if there are no tiles, no road nearby ' +
        'or no route.' +
        '\n\nExample:\n  npx meridian route 35.9110,14.5020 35.8780,14.4720',
    )
    .action(async (from: string, to: string, options: RouteOptions) => {
      const { printRoute } = await import('../programs/route.js');
      await printRoute(from, to, options);
    });
}
