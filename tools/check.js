// One command before every commit: types, format, lint, line width, dead code, dependency rules,
// the page of acceptance.
// The steps run side by side; every failure is shown, and the exit code is 1 when there was one.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

const steps = [
  ['types', 'node_modules/typescript-native/bin/tsc', ['-b']],
  ['format and imports', 'node_modules/@biomejs/biome/bin/biome', ['ci', '--reporter=summary', '.']],
  ['lint', 'node_modules/oxlint/bin/oxlint', ['--type-aware', '--quiet']],
  ['line width', 'tools/line-width.js', []],
  ['acceptance', 'tools/acceptance.js', ['--check']],
  ['long runs', 'tools/prove.js', ['--check']],
  ['dead code', 'node_modules/knip/bin/knip.js', ['--no-progress']],
  [
    'dependency rules',
    'node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
    ['--config', '.dependency-cruiser.cjs', '.'],
  ],
];

/** Which results of long runs have expired is no failure, but shown. */
const shown = new Set(['long runs']);

function run([name, script, args]) {
  const started = Date.now();
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.on('close', (code) => {
      const seconds = ((Date.now() - started) / 1000).toFixed(1);
      console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`);
      if (code !== 0 || shown.has(name)) console.log(output.trimEnd());
      resolve(code === 0);
    });
  });
}

const results = await Promise.all(steps.map(run));
process.exitCode = results.every(Boolean) ? 0 : 1;
