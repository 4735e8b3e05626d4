import { readFileSync } from 'node:fs';
import { Fault } from './fault.mjs';

/**
 * Runs one command with the arguments of this process; prints a Fault as its sentence, a bug with its stack.
 * @param {() => Promise<(args: string[]) => unknown>} load called inside, so that a wrong setting is printed
 * the same way
 */
export async function main(command, load) {
  const args = process.argv.slice(2);
  try {
    if (args.includes('--help') || args.includes('-h')) return console.log(usage());
    if (process.platform !== 'linux') {
      throw new Fault(
        'these scripts run servers on Linux only. Elsewhere use Docker: docker compose up --wait',
      );
    }
    const action = await load();
    await action(args);
  } catch (error) {
    process.exitCode = 1;
    const errors = error instanceof AggregateError ? error.errors : [error];
    const told = errors.map((one) => (one instanceof Fault ? `infra/${command}: ${one.message}` : one));
    for (const one of new Set(told)) console.error(one);
  }
}

/** The first code block of the README is the usage, so the two cannot differ. */
function usage() {
  const readme = readFileSync(new URL('README.md', import.meta.url), 'utf8');
  return readme
    .split('```')[1]
    .replace(/^\w*\n/, '')
    .trimEnd();
}
