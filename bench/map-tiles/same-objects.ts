import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Throws unless everything that a build from scratch wrote is in the other store too, byte for byte. */
export function expectSameObjects(scratch: string, over: string): void {
  for (const path of readdirSync(scratch, { recursive: true }) as string[]) {
    const file = join(scratch, path);
    if (statSync(file).isDirectory()) continue;
    if (hashOf(file) !== hashOf(join(over, path))) throw new Error(`void: ${path} differs`);
  }
}

const hashOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');
