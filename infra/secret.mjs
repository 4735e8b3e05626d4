import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dataFolder } from './settings.mjs';

/** A random word, made at the first start in a file that only its owner reads; hexadecimal, safe in a URL. */
export function secret(name, bytes = 20) {
  const folder = join(dataFolder, 'secrets');
  const file = join(folder, name);
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const word = randomBytes(bytes).toString('hex');
  writeFileSync(file, word, { flag: 'wx', mode: 0o600 });
  return word;
}
