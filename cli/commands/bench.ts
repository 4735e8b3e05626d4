import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Argument, type Command } from 'commander';

/** Name of the question → its file in `bench/`. They run as processes of their own: nobody imports them. */
const questions: Readonly<Record<string, string>> = { ingest: 'ingest-cpu.js' };

export function addBenchCommand(program: Command): void {
  program
    .command('bench')
    .description('measure beside a peer, in one run; appends to bench/results.ndjson')
    .addArgument(new Argument('<question>', 'what to measure').choices(Object.keys(questions)))
    .addHelpText('after', '\nROUNDS and SECONDS in the environment set how long; see bench/README.md.')
    .action(async (question: string) => {
      const file = fileURLToPath(new URL(`../../bench/${questions[question]!}`, import.meta.url));
      const [code] = (await once(spawn(process.execPath, [file], { stdio: 'inherit' }), 'close')) as [number];
      process.exitCode = code;
    });
}
