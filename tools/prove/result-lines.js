// Files of results: one line of JSON for each, of which the last about the same thing counts.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';

/** @returns {Map<string, object>} the newest result by its field `key`; empty without the file */
export function newestBy(file, key) {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  const results = lines.filter((line) => line.trim() !== '').map((line) => JSON.parse(line));
  return new Map(results.map((result) => [result[key], result]));
}

export const addLine = (file, result) => appendFileSync(file, `${JSON.stringify(result)}\n`);
