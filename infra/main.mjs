import { readFileSync } from 'node:fs';
import { Fault } from './fault.mjs';

/** Runs one command with the arguments of this process; a Fault is told in its own words, a bug with its stack. */
export async function main(command) {
  const args = process.argv.slice(2);
  try {
    if (args.includes('--help') || args.includes('-h')) return console.log(usage());
    const unknown = args.filter((arg) => arg.startsWith('-') && !(command === 'down' && arg === '--purge'));
    if (unknown.length > 0)
      throw new Fault(`infra/${command} does not know ${unknown.join(' ')}.\n${usage()}`);
    if (process.platform !== 'linux') {
      throw new Fault('infra/up runs servers on Linux only. Elsewhere use Docker: docker compose up --wait');
    }
    const commands = await import('./commands.mjs'); // Inside, so that a wrong setting is told in its own words too.
    await commands[command](args);
  } catch (error) {
    process.exitCode = 1;
    for (const one of error instanceof AggregateError ? error.errors : [error]) {
      console.error(one instanceof Fault ? `infra/${command}: ${one.message}` : one);
    }
  }
}

/** The first code block of the README is the usage, so the two cannot differ. */
const usage = () =>
  readFileSync(new URL('README.md', import.meta.url), 'utf8')
    .split('```')[1]
    .replace(/^\w*\n/, '')
    .trimEnd();
