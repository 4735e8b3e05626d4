// `node tools/test.js quick|usual|full [vitest's arguments]`: builds what is stale, then runs that selection
// of the tests.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const [selection, ...rest] = process.argv.slice(2);
if (!['quick', 'usual', 'full'].includes(selection)) {
  console.error('Say which tests: quick, usual or full.');
  process.exit(2);
}
const run = (args, env = process.env) => {
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit', env });
  if (status !== 0) process.exit(status ?? 1);
};
// The quick tests run the sources as they are: the compiled files are for programs and threads.
if (selection !== 'quick') run(['tools/build.js']);
run(['node_modules/vitest/vitest.mjs', 'run', ...rest], { ...process.env, TESTS: selection });
