import { describeConfig } from '#platform/config/read-config.js';
import { settings } from '#platform/config/settings.js';
import { readSettings } from '../read-settings.js';

/** Prints the settings, then reports errors in them. */
export function printConfig(json: boolean): void {
  const lines = describeConfig(settings, process.env);
  if (json) console.log(JSON.stringify(lines, undefined, 2));
  else {
    const width = Math.max(...lines.map(({ name }) => name.length));
    for (const { name, value, source, doc } of lines) {
      console.log(`${name.padEnd(width)}  ${value || '(not set)'}  [${source}]\n${''.padEnd(width)}  ${doc}`);
    }
  }
  readSettings({}, { listens: true });
}
