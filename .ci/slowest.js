// Names the slowest test files of both test runs: where the time goes. Several files run at a time.
import { join, relative } from 'node:path';
import { readFiles } from './reports.js';

const [folder] = process.argv.slice(2);
const shown = 30;

const durations = ['embedded', 'real']
  .flatMap((name) => readFiles(join(folder, `${name}.json`)) ?? [])
  .map(({ name, startTime, endTime }) => ({
    file: relative('.', name),
    seconds: (endTime - startTime) / 1_000,
  }))
  .sort((one, other) => other.seconds - one.seconds);
console.log(`The slowest of ${durations.length} test files, in seconds:`);
for (const { file, seconds } of durations.slice(0, shown))
  console.log(`${seconds.toFixed(1).padStart(6)} ${file}`);
