import type { Command } from 'commander';
import { describeConfig } from '#platform/config/read-config.js';
import { settings } from '#platform/config/settings.js';
import { readSettings } from '../read-settings.js';

export function addConfigCommand(program: Command): void {
  program
    .command('config')
    .description('list every setting with its value, where it comes from and what it is for')
    .option('--json', 'as JSON')
    .action(({ json }: { json?: boolean }) => {
      const lines = describeConfig(settings, process.env);
      if (json === true) console.log(JSON.stringify(lines, undefined, 2));
      else {
        const width = Math.max(...lines.map(({ name }) => name.length));
        for (const { name, value, source, doc } of lines) {
          console.log(
            `${name.padEnd(width)}  ${value || '(not set)'}  [${source}]\n${''.padEnd(width)}  ${doc}`,
          );
        }
      }
      readSettings();
    });
}
