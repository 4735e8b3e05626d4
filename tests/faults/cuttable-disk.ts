import { spawnSync } from 'node:child_process';
import { closeSync, ftruncateSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { processesBelow } from '#bench/shutdown/process-tree.js';

/** Whether this user may mount file systems; where not, nothing here can be tried. */
export function mayMount(): boolean {
  try {
    const { folder } = CuttableDisk.open(8);
    run('umount', folder);
    rmSync(dirname(folder), { recursive: true });
    return true;
  } catch {
    return false;
  }
}

/** A file system as it is after a power cut. */
export interface CutDisk {
  readonly folder: string;
  close(): Promise<void>;
}

function run(command: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`);
  return stdout.trim();
}

/** A process that ends leaves the folder in use for a moment. */
async function unmount(folder: string): Promise<void> {
  for (const deadline = Date.now() + 30_000; Date.now() < deadline; await sleep(20))
    if (spawnSync('umount', [folder]).status === 0) return;
  run('umount', folder);
}

/** Stops the processes and their children, and waits until what they had answered has arrived. */
async function standStill(processes: readonly number[]): Promise<readonly number[]> {
  const stopped = processes.flatMap((pid) => [pid, ...processesBelow(pid).map((one) => one.pid)]);
  for (const pid of stopped) process.kill(pid, 'SIGSTOP');
  await sleep(50);
  return stopped;
}

/**
 * A file system on a device that is a file. What programs have written and not flushed is in the memory of
 * the system and not in that file, so a copy of the file is the disk after a power cut.
 */
export class CuttableDisk {
  readonly folder: string;
  readonly #home: string;
  #device = '';
  #cuts = 0;

  private constructor(home: string, folder: string) {
    this.#home = home;
    this.folder = folder;
    this.#mount();
  }

  static open(mib: number): CuttableDisk {
    const home = mkdtempSync(join(tmpdir(), 'meridian-cut-'));
    const folder = join(home, 'disk');
    const image = openSync(join(home, 'image'), 'w');
    ftruncateSync(image, mib * 2 ** 20);
    closeSync(image);
    run('mkfs.ext4', '-q', '-E', 'lazy_itable_init=0,lazy_journal_init=0', join(home, 'image'));
    run('mkdir', '-m', '755', folder);
    run('chmod', '755', home);
    const disk = new CuttableDisk(home, folder);
    run('chmod', '755', folder);
    return disk;
  }

  /**
   * The disk as a power cut at this moment leaves it. The processes and their children stand still meanwhile;
   * `atCut` is called when they do, and when what they had answered has arrived.
   */
  async cut(processes: readonly number[], atCut: () => void): Promise<CutDisk> {
    const stopped = await standStill(processes);
    let image: string;
    try {
      atCut();
      image = this.#copy();
    } finally {
      for (const pid of stopped.toReversed()) process.kill(pid, 'SIGCONT');
    }
    const folder = `${image}-disk`;
    await mkdir(folder);
    run('mount', '-o', 'loop', image, folder);
    return {
      folder,
      async close() {
        await unmount(folder);
        await rm(folder, { recursive: true });
        await rm(image);
      },
    };
  }

  /**
   * Cuts the power for good: the processes and their children stand still, end without another step, and the
   * folder has what the disk has.
   */
  async cutForGood(processes: readonly number[]): Promise<void> {
    const stopped = await standStill(processes);
    const image = this.#copy();
    for (const pid of stopped) process.kill(pid, 'SIGKILL');
    await unmount(this.folder);
    await rename(image, join(this.#home, 'image'));
    this.#mount();
  }

  /** What stands there now was installed long ago: it is on the disk. */
  flush(): void {
    run('sync', '-f', this.folder);
  }

  #mount(): void {
    // The system itself writes everything that is old enough: not within the test.
    run('mount', '-o', 'loop,commit=300', join(this.#home, 'image'), this.folder);
    this.#device = run('findmnt', '-n', '-o', 'SOURCE', this.folder);
  }

  #copy(): string {
    const image = join(this.#home, `cut-${++this.#cuts}`);
    // A write that the system had begun ends during the copy, which would be of two moments then.
    for (let before = ''; before !== this.#writes(); ) {
      before = this.#writes();
      run('cp', '--sparse=always', join(this.#home, 'image'), image);
    }
    return image;
  }

  async close(): Promise<void> {
    run('umount', '-l', this.folder);
    await rm(this.#home, { recursive: true, force: true });
  }

  /** Counts of the device, the writes among them. */
  #writes(): string {
    return readFileSync(`/sys/block/${this.#device.replace('/dev/', '')}/stat`, 'utf8');
  }
}
