// `node tools/licences.js [file]`: the licences of all packages that an installation has, from the lock file.
// Refuses a licence that nobody has read, and names the package. With a file, the report goes there.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

/** Read and fit for a product under Apache-2.0 that depends on the packages unchanged. */
const accepted = new Set([
  '(MIT OR CC0-1.0)',
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC-BY-3.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'MIT/X11',
  'PostgreSQL',
  'Unlicense',
]);

/** What the lock file does not say, or what needs a reason, as read in the package. */
const read = {
  '@kafkajs/confluent-schema-registry': 'MIT',
  '@mapbox/polyline': 'BSD-3-Clause',
  'dejavu-fonts-ttf': 'Bitstream Vera and public domain: fonts may be bundled with programs',
  opening_hours: 'LGPL-3.0-only: a replaceable package of its own, unchanged',
  suncalc: 'BSD-2-Clause',
  'uWebSockets.js': 'Apache-2.0',
};

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const byLicence = new Map();
const unread = [];
for (const [path, { license, dev, version, link }] of Object.entries(packages)) {
  if (path === '' || dev === true || link === true) continue;
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const known = read[name] ?? license;
  if (read[name] === undefined && !accepted.has(license)) unread.push(`${name}@${version}: ${license}`);
  byLicence.set(known, [...(byLicence.get(known) ?? []), `${name}@${version}`]);
}
if (unread.length > 0) {
  console.error(`These licences were not read yet (tools/licences.js):\n${unread.join('\n')}`);
  process.exit(1);
}
const rows = [...byLicence].toSorted(([, a], [, b]) => b.length - a.length);
const report = rows.map(([licence, names]) => `${licence} (${names.length}): ${names.toSorted().join(', ')}`);
const file = process.argv[2];
if (file === undefined) console.log(rows.map(([licence, { length }]) => `${licence}: ${length}`).join('\n'));
else writeFileSync(file, `${report.join('\n\n')}\n`);
