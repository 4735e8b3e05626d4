// `npm run kubernetes-schemas`: gets the JSON schemas of Kubernetes, unless they are there, and checks the
// files of deploy/kubernetes. `--get` only gets them.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { downloadWheels, run } from './clients/download.js';

const { values } = parseArgs({ options: { get: { type: 'boolean' } } });
process.chdir(fileURLToPath(new URL('..', import.meta.url)));

downloadWheels('tests/kubernetes-schemas/requirements.txt', join('data', 'kubernetes-schemas'));
if (values.get !== true)
  run(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', 'tests/kubernetes-schemas']);
