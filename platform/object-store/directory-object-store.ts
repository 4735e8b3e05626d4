import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readdir, readFile, rename, rm, rmdir, stat, unlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { makeFolder } from '../config/folders.js';
import { diskFault } from './disk-fault.js';
import { checkObjectKey, checkObjectPrefix } from './object-key.js';
import { checkObjectSize } from './object-size.js';
import { InvalidObjectKey, type ObjectStore } from './object-store.js';
import { SharedFlush } from './shared-flush.js';

/** `~` is in no key, so neither the folder nor the files in it can be mistaken for objects. */
const partialFolderName = '~partial';
const abandonedAfterMs = 60 * 60 * 1000;
/**
 * A folder that a concurrent delete has emptied and removed is created again; each attempt means another such
 * delete.
 */
const placeAttempts = 100;
/** Written and read by `check`; larger than what a full disk may still have. */
const probe = Buffer.alloc(64 * 1024, 'check');

/**
 * Objects as plain files: the key is the path under the root, so that a person can read them. Several
 * processes may share the folder. An object appears under its name by one `rename` or `link` of a file that
 * is complete and flushed, and the folders above are flushed before `put` resolves: neither a killed process
 * nor a power cut leaves half an object or loses an acknowledged one.
 */
export class DirectoryObjectStore implements ObjectStore {
  readonly #root: string;
  readonly #partial: string;
  readonly #flushes = new SharedFlush(flushFolder);

  private constructor(root: string) {
    this.#root = root;
    this.#partial = join(root, partialFolderName);
  }

  /** Creates the folder if it is missing and removes partial files of killed processes. */
  static async open(folder: string): Promise<DirectoryObjectStore> {
    const store = new DirectoryObjectStore(resolve(folder));
    try {
      makeFolder(store.#partial);
      await store.#sweep();
    } catch (error) {
      throw store.#described(error);
    }
    return store;
  }

  async get(key: string): Promise<Uint8Array | undefined> {
    checkObjectKey(key);
    try {
      return await readFile(join(this.#root, key));
    } catch (error) {
      if (hasCode(error, 'ENOENT', 'ENOTDIR', 'EISDIR')) return undefined;
      throw this.#described(error);
    }
  }

  async put(key: string, bytes: Uint8Array): Promise<void> {
    checkObjectKey(key);
    await this.#withPartial(bytes, (partial) => this.#place(key, (path) => rename(partial, path)));
  }

  async putIfAbsent(key: string, bytes: Uint8Array): Promise<boolean> {
    checkObjectKey(key);
    if ((await kindOf(join(this.#root, key))) === 'file') return false;
    return this.#withPartial(bytes, async (partial) => {
      try {
        await this.#place(key, (path) => link(partial, path));
        return true;
      } catch (error) {
        if (hasCode(error, 'EEXIST')) return false;
        throw error;
      } finally {
        await rm(partial, { force: true });
      }
    });
  }

  async *list(prefix: string): AsyncGenerator<string> {
    checkObjectPrefix(prefix);
    const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1);
    yield* this.#walk(folder, prefix.slice(folder.length));
  }

  async delete(key: string): Promise<void> {
    checkObjectKey(key);
    const path = join(this.#root, key);
    try {
      await unlink(path);
    } catch (error) {
      if (hasCode(error, 'ENOENT', 'ENOTDIR') || (await kindOf(path)) !== 'file') return;
      throw this.#described(error);
    }
    await this.#removeEmptyFolders(dirname(path)).catch((error: unknown) => {
      throw this.#described(error);
    });
  }

  async check(): Promise<void> {
    await this.#withPartial(probe, async (partial) => {
      const read = await readFile(partial);
      await rm(partial);
      if (!read.equals(probe)) throw new Error(`${partial} reads otherwise than it was written`);
    });
  }

  async close(): Promise<void> {}

  #described(error: unknown): unknown {
    return diskFault(error, this.#root);
  }

  /**
   * Writes and flushes the bytes to a temporary file, passes its name to `place`, and removes the file on
   * failure.
   */
  async #withPartial<Result>(
    bytes: Uint8Array,
    place: (partial: string) => Promise<Result>,
  ): Promise<Result> {
    checkObjectSize(bytes);
    const partial = join(this.#partial, `${process.pid}-${randomUUID()}`);
    try {
      const file = await open(partial, 'wx');
      try {
        await file.writeFile(bytes);
        await file.datasync();
      } finally {
        await file.close();
      }
      return await place(partial);
    } catch (error) {
      // On an unavailable disk this fails too, without further information.
      await rm(partial, { force: true }).catch(() => {});
      throw this.#described(error);
    }
  }

  async #place(key: string, move: (path: string) => Promise<void>): Promise<void> {
    const path = join(this.#root, key);
    for (let attempt = 1; ; attempt += 1) {
      try {
        // Most objects are put into a folder that is there.
        if (attempt > 1) await mkdir(dirname(path), { recursive: true });
        await move(path);
        break;
      } catch (error) {
        if (!hasCode(error, 'ENOENT', 'ENOTDIR', 'EISDIR', 'EEXIST', 'ENOTEMPTY')) throw error;
        const present = await kindOf(path);
        // putIfAbsent came second. With another error, somebody made the folder and put the object meanwhile.
        if (present === 'file' && hasCode(error, 'EEXIST')) throw error;
        if (present === 'folder' || (await this.#liesUnderFile(path))) {
          throw new InvalidObjectKey(`The object key ${key} is the folder of another key, or is below one.`);
        }
        if (attempt === placeAttempts) throw error;
      }
    }
    await this.#flushFolders(dirname(path));
  }

  async #liesUnderFile(path: string): Promise<boolean> {
    for (let at = dirname(path); at !== this.#root; at = dirname(at))
      if ((await kindOf(at)) === 'file') return true;
    return false;
  }

  /**
   * Every folder up to the root: another writer may have created one of them and not flushed it yet. Flushing
   * a clean folder costs little, but many objects are put at the same time: they share the flushes.
   */
  async #flushFolders(folder: string): Promise<void> {
    if (process.platform === 'win32') return; // Windows cannot open a folder and journals its entries itself.
    const folders = [folder];
    while (folders.at(-1) !== this.#root) folders.push(dirname(folders.at(-1)!));
    await Promise.all(folders.map((each) => this.#flushes.of(each)));
  }

  async #removeEmptyFolders(folder: string): Promise<void> {
    let at = folder;
    try {
      for (; at !== this.#root; at = dirname(at)) await rmdir(at);
    } catch (error) {
      if (!hasCode(error, 'ENOTEMPTY', 'EEXIST', 'ENOENT', 'EBUSY')) throw error;
    }
    await this.#flushFolders(at);
  }

  async *#walk(folder: string, namePrefix: string): AsyncGenerator<string> {
    const entries = await readdir(join(this.#root, folder), { withFileTypes: true }).catch(
      (error: unknown) => {
        if (hasCode(error, 'ENOENT', 'ENOTDIR')) return [];
        throw this.#described(error);
      },
    );
    // Keys sort as if a folder's name ended in '/': 'a-b' < 'a.b' < 'a/b' < 'a0'.
    const names = entries
      .filter((entry) => entry.name.startsWith(namePrefix) && entry.name !== partialFolderName)
      .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.isFile() ? entry.name : ''))
      .filter((name) => name !== '')
      .sort((a, b) => (a < b ? -1 : 1));
    for (const name of names) {
      if (name.endsWith('/')) yield* this.#walk(folder + name, '');
      else yield folder + name;
    }
  }

  /**
   * A partial file belongs to a put in progress only while its process lives; the age covers a reused process
   * id.
   */
  async #sweep(): Promise<void> {
    for (const name of await readdir(this.#partial)) {
      const path = join(this.#partial, name);
      const modifiedMs = await stat(path).then(
        (entry) => entry.mtimeMs,
        () => undefined,
      );
      if (modifiedMs === undefined) continue;
      const old = Date.now() - modifiedMs > abandonedAfterMs;
      if (old || !isAlive(Number.parseInt(name, 10))) await rm(path, { force: true });
    }
  }
}

/** A missing folder was removed by a later delete, which flushes the folders above it. */
async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  });
  if (handle === undefined) return;
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function isAlive(processId: number): boolean {
  if (!Number.isInteger(processId)) return false;
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return hasCode(error, 'EPERM');
  }
}

async function kindOf(path: string): Promise<'file' | 'folder' | undefined> {
  const entry = await stat(path).catch(() => undefined);
  return entry?.isFile() ? 'file' : entry?.isDirectory() ? 'folder' : undefined;
}

function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}
