// `npm start`: builds what is stale, then runs everything. One process from here on, so that a signal to npm
// reaches it.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const build = fileURLToPath(new URL('./build.js', import.meta.url));
const { status } = spawnSync(process.execPath, [build], { stdio: 'inherit' });
if (status !== 0) process.exit(status ?? 1);
process.argv.splice(2, 0, 'up');
await import('../bin/meridian.js');
