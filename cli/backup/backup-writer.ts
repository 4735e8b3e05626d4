import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CommandFailed, exitCode } from '../exit.js';
import { type Copied, copyFile, hashFile } from './copy-file.js';
import { type BackedUpFile, encodeManifest, type Manifest, manifestFile } from './manifest.js';

export interface WriterDeps {
  /** The folder that becomes the backup. */
  readonly into: string;
  readonly signal: AbortSignal;
  /** Called with the bytes of the part that are copied. */
  readonly onBytes: (bytes: number) => void;
}

const filesAtOnce = 4;

/** Puts files into a backup and notes their lengths and checksums. */
export class BackupWriter {
  readonly #deps: WriterDeps;
  readonly #files: BackedUpFile[] = [];
  readonly #folders = new Set<string>();
  #bytes = 0;

  constructor(deps: WriterDeps) {
    this.#deps = deps;
  }

  get files(): readonly BackedUpFile[] {
    return this.#files;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Where a store writes its own copy; `noteFolder` notes it later. */
  place(path: string): string {
    return join(this.#deps.into, path);
  }

  async makeFolder(path: string): Promise<void> {
    this.#folders.add(path);
    await mkdir(this.place(path), { recursive: true });
  }

  /** Copies files from one folder, a few at a time; those that are gone are left out. */
  async copyAll(from: string, into: string, names: readonly string[]): Promise<void> {
    let next = 0;
    const work = async (): Promise<void> => {
      while (next < names.length) {
        const name = names[next++]!;
        this.#stopIfAsked();
        await this.copy(join(from, name), `${into}/${name}`);
      }
    };
    await Promise.all(Array.from({ length: filesAtOnce }, work));
  }

  /** False if there is no such file. */
  async copy(from: string, path: string): Promise<boolean> {
    const copied = await copyFile(from, this.place(path));
    if (copied === undefined) return false;
    this.#note(path, copied);
    return true;
  }

  async write(path: string, text: string): Promise<void> {
    const file = this.place(path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text, { mode: 0o600, flush: true });
    this.#note(path, (await hashFile(file))!);
  }

  /** Notes the files that a store has written to `place(path)`. */
  async noteFolder(path: string): Promise<void> {
    for (const name of (await readdir(this.place(path))).toSorted()) {
      this.#stopIfAsked();
      const file = this.place(`${path}/${name}`);
      if ((await stat(file)).isFile()) this.#note(`${path}/${name}`, (await hashFile(file))!);
    }
  }

  /** The last file: without it, the folder is no backup. */
  async finish(about: Omit<Manifest, 'folders' | 'files'>): Promise<Manifest> {
    this.#stopIfAsked();
    const files = this.#files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
    const manifest = { ...about, folders: [...this.#folders].toSorted(), files };
    await writeFile(this.place(manifestFile), encodeManifest(manifest), { mode: 0o600, flush: true });
    return manifest;
  }

  #note(path: string, { bytes, sha256 }: Copied): void {
    this.#files.push({ path: path.replaceAll('\\', '/'), bytes, sha256 });
    this.#bytes += bytes;
    this.#deps.onBytes(this.#bytes);
  }

  #stopIfAsked(): void {
    if (this.#deps.signal.aborted)
      throw new CommandFailed('The backup was interrupted; nothing of it is left.', exitCode.interrupted);
  }
}
