import type { Command } from 'commander';
import { topics } from '#schemas/topics.js';
import { oneOf, wholeNumber } from '../options/arguments.js';
import type { TailOptions } from '../programs/tail-events.js';

export function addEventsCommand(program: Command): void {
  const events = program.command('events').description('inspect the topics of the event log');
  events
    .command('list')
    .description('list the topics with their keys and contents')
    .action(() => {
      for (const topic of topics) console.log(`${topic.name}\n  key: ${topic.key} · ${topic.summary}`);
    });
  events
    .command('tail')
    .argument('<topic>', 'name of the topic, see `meridian events list`')
    .description('print the decoded records of a topic as they arrive')
    .option('--json', 'one JSON object per line, with partition, offset, key and time')
    .option('--from <where>', 'earliest or latest', oneOf('earliest', 'latest'), 'latest')
    .option('--max <records>', 'stop after this many', wholeNumber)
    .option('--no-follow', 'stop at the end of the topic')
    .action(async (topic: string, options: TailOptions) => {
      const { tailEvents } = await import('../programs/tail-events.js');
      await tailEvents(topic, options);
    });
}
