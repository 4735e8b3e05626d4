import { type Command, InvalidArgumentError, Option } from 'commander';
import type { TripSource } from '../programs/arrivals-train.js';

function tripSource(text: string): TripSource {
  if (text === 'topics' || text === 'locations') return { kind: text };
  const path = text.startsWith('parquet:') ? text.slice('parquet:'.length) : '';
  if (path === '') throw new InvalidArgumentError('use topics, parquet:<folder or file> or locations.');
  return { kind: 'parquet', path };
}

function instant(text: string): number {
  const ms = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?Z)?$/u.test(text)
    ? Date.parse(text)
    : Number.NaN;
  if (Number.isNaN(ms)) throw new InvalidArgumentError('use a day or a UTC time, such as 2026-11-21T08:00Z.');
  return ms;
}

export function addArrivalsCommand(program: Command): void {
  const arrivals = program.command('arrivals').description('arrival times that are learned from trips');
  arrivals
    .command('train')
    .description('train the model of arrival times on past trips, and publish it if it is not worse')
    .addOption(
      new Option(
        '--from <source>',
        'topics: finished trips of the event log; parquet:<folder or file>: such records as Parquet files; ' +
          'locations: drives in the location store',
      )
        .argParser(tripSource)
        .makeOptionMandatory(),
    )
    .option('--since <time>', 'only trips that began then or later, such as 2026-11-21', instant)
    .option('--users <file>', 'with locations: ids of users, one a line; default: all users in the event log')
    .option('--dry-run', 'show the errors and publish nothing')
    .option('--force', 'publish the model even if it is worse')
    .option('--json', 'the result as JSON')
    .addHelpText(
      'after',
      '\nThe newest trips are held back to compare the errors of free flow, of the model that answers now and ' +
        'of the\nnew one. A model that was trained on these very trips has an advantage.\n' +
        'Exit codes: 1 the new model is worse, 2 usage, 3 too few trips.',
    )
    .action(async (options: Parameters<typeof import('../programs/arrivals-train.js').trainArrivals>[0]) => {
      const { trainArrivals } = await import('../programs/arrivals-train.js');
      await trainArrivals(options);
    });
}
