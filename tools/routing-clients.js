// `npm run routing-clients`: gets routingpy and osrm.js, unless they are there, and asks the gateway with
// them, with the routing of map libraries and with Ferrostar's parser. `--get` only gets them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { downloadArchive, downloadWheels, run } from './clients/download.js';

const { values } = parseArgs({ options: { get: { type: 'boolean' } } });
process.chdir(fileURLToPath(new URL('..', import.meta.url)));

const tests = 'tests/routing-clients';
const folder = join('data', 'routing-clients');
downloadWheels(join(tests, 'requirements.txt'), folder);
downloadArchive(JSON.parse(readFileSync(join(tests, 'osrm-js.json'), 'utf8')), folder);
if (values.get !== true)
  run(process.execPath, [
    ...['node_modules/vitest/vitest.mjs', 'run', tests],
    'tests/browser/routing-clients.test.ts',
  ]);
