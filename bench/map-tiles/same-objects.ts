import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Throws unless everything that a build from scratch wrote is in the other store too, byte for byte; but for
 * the hash of all roads, by which a command knows in the next process that they are the same, and which a
 * builder that stays does not need.
 */
export function expectSameObjects(scratch: string, over: string): void {
  for (const path of readdirSync(scratch, { recursive: true }) as string[]) {
    const file = join(scratch, path);
    if (path.startsWith('build-memo') || statSync(file).isDirectory()) continue;
    if (hashOf(file) !== hashOf(join(over, path))) throw new Error(`void: ${path} differs`);
  }
}

const hashOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');
