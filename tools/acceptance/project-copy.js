import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/**
 * A copy of the project as it lies in the folder, with what is compiled, in which files may be broken.
 *
 * @param {string} root
 * @returns {{ root: string, remove: () => void }}
 */
export function copyProject(root) {
  const copy = mkdtempSync(join(tmpdir(), 'meridian-controls-'));
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const listed = spawnSync('git', args, { cwd: root, maxBuffer: 2 ** 28 })
    .stdout.toString()
    .split('\0');
  for (const file of listed) {
    if (file === '' || !existsSync(join(root, file))) continue;
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(root, file), join(copy, file), { preserveTimestamps: true });
  }
  if (existsSync(join(root, 'dist')))
    cpSync(join(root, 'dist'), join(copy, 'dist'), { recursive: true, preserveTimestamps: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  return { root: copy, remove: () => rmSync(copy, { recursive: true, force: true }) };
}
