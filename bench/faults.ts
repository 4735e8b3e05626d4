import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * Does every row of the fault matrix hold, and does its check notice a build that is known to be bad? The
 * scenarios are tests, so the tool that knows them runs them. Arguments: rows, default all; `--list`.
 */
const child = spawn(process.execPath, ['tools/faults.js', ...process.argv.slice(2)], {
  cwd: new URL('../../', import.meta.url),
  stdio: 'inherit',
});
const [code] = (await once(child, 'close')) as [number];
process.exitCode = code;
