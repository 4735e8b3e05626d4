import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Paths of the wheels that `<clients>/requirements.txt` pins by their hashes, below `data/<clients>`. Python
 * reads modules from wheels in place.
 */
export function pythonWheels(clients: string): string[] {
  const folder = fileURLToPath(new URL(`../data/${clients}`, import.meta.url));
  const requirements = readFileSync(new URL(`${clients}/requirements.txt`, import.meta.url), 'utf8');
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return [...requirements.matchAll(/^(\S+)==(\S+) --hash=sha256:(\w{64})$/gm)].map(
    ([, name, version, sha256]) => {
      const file = names.find((each) => each.startsWith(`${name}-${version}-`) && each.endsWith('.whl'));
      if (file === undefined) throw new Error(`${name} is not there. To get it: npm run ${clients}`);
      const path = join(folder, file);
      const found = createHash('sha256').update(readFileSync(path)).digest('hex');
      if (found !== sha256) throw new Error(`${path} has the hash ${found} instead of ${sha256}; delete it.`);
      return path;
    },
  );
}
