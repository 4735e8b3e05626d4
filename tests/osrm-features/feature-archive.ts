import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

/** The pinned version and hash, in the form that pip reads. */
const [, version, sha256] = /osrm-bindings==(\S+) --hash=sha256:(\w{64})/.exec(
  readFileSync(new URL('requirements.txt', import.meta.url), 'utf8'),
)!;

/** Where `tools/osrm-features.js` puts the archive. */
const archive = fileURLToPath(
  new URL(`../../data/osrm-features/osrm_bindings-${version}.tar.gz`, import.meta.url),
);

/** OSRM's feature files by their paths below `features/`, from the archive with the pinned hash. */
export function readFeatureArchive(): Map<string, string> {
  if (!existsSync(archive))
    throw new Error('The archive with the features of OSRM is not there. To get it: npm run osrm-features');
  const bytes = readFileSync(archive);
  const found = createHash('sha256').update(bytes).digest('hex');
  if (found !== sha256) throw new Error(`${archive} has the hash ${found} instead of ${sha256}; delete it.`);
  const features = new Map<string, string>();
  for (const [path, content] of filesOfTar(gunzipSync(bytes))) {
    const below = /^[^/]+\/features\/(.+\.feature)$/.exec(path)?.[1];
    if (below !== undefined) features.set(below, content().toString('utf8'));
  }
  return features;
}

/** Blocks of 512 bytes: a header with name, size in octal digits and kind, then the content. */
const BLOCK = 512;
const field = (header: Buffer, from: number, length: number): string =>
  header.toString('utf8', from, from + length).replace(/\0.*$/s, '');

export function* filesOfTar(tar: Buffer): Iterable<readonly [path: string, content: () => Buffer]> {
  for (let at = 0; at + BLOCK <= tar.length; ) {
    const header = tar.subarray(at, at + BLOCK);
    if (header[0] === 0) return;
    const size = Number.parseInt(field(header, 124, 12), 8);
    const kind = field(header, 156, 1);
    const [name, prefix] = [field(header, 0, 100), field(header, 345, 155)];
    const begin = at + BLOCK;
    if (kind === '0' || kind === '')
      yield [prefix === '' ? name : `${prefix}/${name}`, () => tar.subarray(begin, begin + size)];
    at = begin + BLOCK * Math.ceil(size / BLOCK);
  }
}
