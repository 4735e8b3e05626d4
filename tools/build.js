// Compiles every package with `tsc -b` and bundles the page. It runs before start and test, so it does
// nothing twice: the compiler is incremental, and the page is bundled only when its sources are newer than
// the bundle.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
process.chdir(root);

function run(script, args) {
  const { status } = spawnSync(process.execPath, [script, ...args], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

function newest(path) {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}

/** The compiled tree resolves `#package/file.js` within itself: the nearest package.json decides. */
function writeImports() {
  const { name, version, type, imports } = JSON.parse(readFileSync('package.json', 'utf8'));
  const compiled = Object.entries(imports).map(([from, to]) => [from, to.replace(/\.ts$/, '.js')]);
  const content = { name, version, type, imports: Object.fromEntries(compiled) };
  const text = `${JSON.stringify(content, undefined, 2)}\n`;
  const file = 'dist/package.json';
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  mkdirSync('dist', { recursive: true });
  writeFileSync(file, text);
}

writeImports();
run('node_modules/typescript-native/bin/tsc', ['-b', ...process.argv.slice(2)]);

const page = 'dist/web/index.html';
if (existsSync('web/vite.config.js')) {
  const sources = Math.max(
    newest('web'),
    newest('location-client'),
    newest('schemas'),
    newest('package-lock.json'),
  );
  if (!existsSync(page) || statSync(page).mtimeMs < sources) {
    run('node_modules/vite/bin/vite.js', ['build', '--config', 'web/vite.config.js', '--logLevel', 'warn']);
  }
}
