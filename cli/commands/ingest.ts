import { Argument, type Command } from 'commander';
import type { IngestPart } from '../programs/ingest.js';

export function addIngestCommand(program: Command): void {
  program
    .command('ingest')
    .description('run only ingest: POST /v1/locations, and the writer of the location store')
    .addArgument(
      new Argument('[part]', 'run only the server (door) or only the writer; default both').choices([
        'door',
        'writer',
      ]),
    )
    .action(async (part?: IngestPart) => {
      const { runIngest } = await import('../programs/ingest.js');
      await runIngest(part);
    });
}
