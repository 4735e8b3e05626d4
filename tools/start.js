// `npm start`: builds what is stale, then runs everything. From then on it is one process, which `exec` in
// package.json makes npm's own child: a shell between them would not pass a signal on.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const signals = ['SIGTERM', 'SIGINT'];
const build = spawn(process.execPath, [fileURLToPath(new URL('./build.js', import.meta.url))], {
  stdio: 'inherit',
  // A group of its own, because the build starts others, which must end with it.
  detached: true,
});
const endBuild = (signal) => {
  if (build.pid !== undefined) process.kill(-build.pid, 'SIGKILL');
  process.exit(signal === 'SIGINT' ? 130 : 143);
};
for (const signal of signals) process.on(signal, endBuild);
const [status] = await once(build, 'exit');
for (const signal of signals) process.off(signal, endBuild);
if (status !== 0) process.exit(status ?? 1);
process.argv.splice(2, 0, 'up');
await import('../bin/meridian.js');
