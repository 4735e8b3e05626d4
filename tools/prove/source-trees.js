// Files of the project as they lie in the folder, or as they were at a commit.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const git = (root, args, input = '') =>
  spawnSync('git', args, { cwd: root, input: Buffer.from(input), maxBuffer: 2 ** 30 });

/**
 * @typedef {{ read: (path: string) => Buffer | undefined, list: (folder: string) => string[] }} SourceTree
 */

/** @returns {SourceTree} what lies in the folder now */
export function workingTree(root) {
  const isFile = (path) => existsSync(path) && statSync(path).isFile();
  return {
    read: (path) => (isFile(join(root, path)) ? readFileSync(join(root, path)) : undefined),
    list: (folder) =>
      existsSync(join(root, folder))
        ? readdirSync(join(root, folder)).map((name) => `${folder}/${name}`)
        : [],
  };
}

/** @returns {SourceTree | undefined} undefined if this clone does not have the commit */
export function committedTree(root, commit) {
  const listed = git(root, ['ls-tree', '-r', '-z', '--name-only', commit]);
  if (listed.status !== 0) return undefined;
  const paths = listed.stdout
    .toString()
    .split('\0')
    .filter((path) => /\.(tsx?|m?js|json|proto)$/.test(path));
  const { stdout } = git(root, ['cat-file', '--batch'], paths.map((path) => `${commit}:${path}\n`).join(''));
  const contents = new Map();
  let at = 0;
  for (const path of paths) {
    // `<id> blob <size>`, a line break, the bytes, a line break.
    const end = stdout.indexOf(10, at);
    const size = Number(stdout.toString('latin1', at, end).split(' ')[2]);
    contents.set(path, stdout.subarray(end + 1, end + 1 + size));
    at = end + size + 2;
  }
  return {
    read: (path) => contents.get(path),
    list: (folder) => paths.filter((path) => path.startsWith(`${folder}/`)),
  };
}

/** @returns {string} id of the commit that is checked out */
export const headOf = (root) => git(root, ['rev-parse', 'HEAD']).stdout.toString().trim();
