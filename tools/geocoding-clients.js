// `npm run geocoding-clients`: gets geopy, unless it is there, and asks the gateway with it and with the
// geocoders of map libraries. `--get` only gets geopy.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { downloadWheels, run } from './clients/download.js';

const { values } = parseArgs({ options: { get: { type: 'boolean' } } });
process.chdir(fileURLToPath(new URL('..', import.meta.url)));

downloadWheels('tests/geocoding-clients/requirements.txt', join('data', 'geocoding-clients'));
if (values.get !== true)
  run(process.execPath, [
    ...['node_modules/vitest/vitest.mjs', 'run', 'tests/geocoding-clients'],
    'tests/browser/geocoder-clients.test.ts',
  ]);
