import { type Command, InvalidArgumentError, Option } from 'commander';
import { feedFormats } from '#traffic-exchange/feeds/feed-format.js';
import { baseUrl, positiveNumber } from '../options/arguments.js';
import type { TrafficImportOptions } from '../programs/traffic-import.js';

const followSecondsMax = 86_400;

function feedName(text: string): string {
  if (!/^[a-z0-9][a-z0-9-]{0,23}$/.test(text))
    throw new InvalidArgumentError('use up to 24 small letters, digits and hyphens.');
  return text;
}

function seconds(text: string): number {
  const number = positiveNumber(text);
  if (number > followSecondsMax)
    throw new InvalidArgumentError(`use at most ${followSecondsMax} seconds, which is a day.`);
  return number;
}

export function addTrafficCommand(program: Command): void {
  const traffic = program.command('traffic').description('exchange traffic with road authorities');
  traffic
    .command('import')
    .argument('<source>', 'a file, or an http or https address')
    .description('write the closures and speed limits of a feed as incidents of a running platform')
    .addOption(
      new Option(
        '--format <format>',
        'wzdx: 4.0 to 4.2; datex2: version 3, situation publication; osrm-speeds: lines of from,to,km/h as ' +
          'for --segment-speed-file, 0 closes',
      )
        .choices(feedFormats)
        .makeOptionMandatory(),
    )
    .requiredOption(
      '--name <name>',
      'name of the feed, part of the incident ids; an import removes what earlier imports of the same ' +
        'name wrote and the feed no longer contains',
      feedName,
    )
    .option('--follow <seconds>', 'read the feed again at this interval, until SIGTERM or SIGINT', seconds)
    .option(
      '--url <url>',
      'public listener of the platform; default: on this machine, as the settings say',
      baseUrl,
    )
    .option(
      '--token-file <file>',
      'file with a bearer token for operators, read at each import; default: a token of the development ' +
        'issuer',
    )
    .option('--dry-run', 'only say what would change')
    .option('--json', 'each import as a line of JSON')
    .addHelpText(
      'after',
      '\nReads the map from OBJECTS, so it needs the same settings as the platform.' +
        '\n\nExample:\n  npx meridian traffic import https://example.org/wzdx.geojson --format wzdx \\' +
        '\n    --name example --follow 60',
    )
    .action(async (source: string, options: TrafficImportOptions) => {
      const { importTraffic } = await import('../programs/traffic-import.js');
      await importTraffic(source, options);
    });
}
