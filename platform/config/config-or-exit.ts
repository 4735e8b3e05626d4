import { readConfig } from './read-config.js';
import type { Environment } from './setting.js';
import { type Config, settings } from './settings.js';

const usageExitCode = 2;

/** The checked configuration; or one sentence a fault on standard error, and the end of the process. */
export function configOrExit(environment: Environment): Config {
  const outcome = readConfig(settings, environment);
  if (outcome.ok) return outcome.config;
  for (const fault of outcome.faults) process.stderr.write(`configuration: ${fault}\n`);
  process.stderr.write('`meridian config` lists every setting with its meaning and default.\n');
  process.exit(usageExitCode);
}
