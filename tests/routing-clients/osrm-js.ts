import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { filesOfTar } from '../osrm-features/feature-archive.js';

const { name, version, sha512 } = JSON.parse(readFileSync(new URL('osrm-js.json', import.meta.url), 'utf8'));

/** The script of osrm.js for pages, from the archive with the pinned hash. It sets `osrm`. */
export function osrmJsScript(): string {
  const archive = fileURLToPath(
    new URL(`../../data/routing-clients/${name}-${version}.tgz`, import.meta.url),
  );
  if (!existsSync(archive)) throw new Error(`${name} is not there. To get it: npm run routing-clients`);
  const bytes = readFileSync(archive);
  const found = createHash('sha512').update(bytes).digest('base64');
  if (found !== sha512) throw new Error(`${archive} has the hash ${found} instead of ${sha512}; delete it.`);
  for (const [path, content] of filesOfTar(gunzipSync(bytes)))
    if (path === 'package/dist/osrm.js') return content().toString('utf8');
  throw new Error(`${archive} has no dist/osrm.js.`);
}
