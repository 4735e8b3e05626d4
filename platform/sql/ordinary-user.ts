import { execFile } from 'node:child_process';
import { chown, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  /** Ids of the user that the command runs as; absent if it is the current user. */
  readonly uid?: number;
  readonly gid?: number;
}

/**
 * PostgreSQL refuses to run as root. If this process runs as root, the server and its files belong to the
 * system's user `nobody`. Otherwise the server runs as the current user.
 */
export class OrdinaryUser {
  readonly #ids: { readonly uid: number; readonly gid: number } | undefined;

  private constructor(ids: { readonly uid: number; readonly gid: number } | undefined) {
    this.#ids = ids;
  }

  static async find(): Promise<OrdinaryUser> {
    if (process.getuid?.() !== 0) return new OrdinaryUser(undefined);
    const [uid, gid] = await Promise.all(['-u', '-g'].map((option) => idOf(option)));
    return new OrdinaryUser({ uid: uid!, gid: gid! });
  }

  async own(path: string): Promise<void> {
    if (this.#ids !== undefined) await chown(path, this.#ids.uid, this.#ids.gid);
  }

  /** Whether the user may enter the folder and all folders above it. */
  async mayPass(folder: string): Promise<boolean> {
    if (this.#ids === undefined) return true;
    const { mode, uid } = await stat(folder);
    const bit = uid === this.#ids.uid ? 0o100 : 0o001;
    if ((mode & bit) === 0) return false;
    return dirname(folder) === folder || this.mayPass(dirname(folder));
  }

  /**
   * The command as that user. A folder above `folders` may be closed to this user (a clone under root's home,
   * a folder of `mktemp -d`). The command then keeps the one capability to pass, through util-linux'
   * `setpriv`.
   */
  async command(file: string, args: readonly string[], folders: readonly string[]): Promise<Command> {
    if (this.#ids === undefined) return { file, args };
    const { uid, gid } = this.#ids;
    const open = await Promise.all(folders.map((folder) => this.mayPass(folder)));
    if (open.every(Boolean)) return { file, args, uid, gid };
    const passage = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override'];
    return {
      file: 'setpriv',
      args: [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', ...passage, '--', file, ...args],
    };
  }
}

async function idOf(option: string): Promise<number> {
  try {
    return Number((await promisify(execFile)('id', [option, 'nobody'])).stdout.trim());
  } catch (cause) {
    throw new Error(
      'PostgreSQL refuses to run as root, and this system has no user nobody. ' +
        'Start this program as an ordinary user.',
      { cause },
    );
  }
}
