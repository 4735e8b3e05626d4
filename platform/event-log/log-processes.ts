import { randomUUID } from 'node:crypto';
import { lives, thisProcess } from '../lmdb/process-identity.js';
import { type LogFiles, type StoredProcess, writeLog } from './log-files.js';

const WATCH_MS = 1_000;
/** A process without a new heartbeat for this long counts as dead: stopped, or on another machine. */
const SILENCE_MS = 10_000;
/** How long records and group changes of another process may stay unseen. */
const POLL_MS = 20;

/**
 * Which processes have the log open. A process that is alone only checks once a second whether it still is.
 * With others it sends heartbeats, polls for their commits every 20 ms, and detects dead ones.
 */
export class LogProcesses {
  readonly name = randomUUID();
  readonly #files: LogFiles;
  readonly #onForeignCommit: () => void;
  readonly #onDeath: (processes: ReadonlySet<string>) => Promise<void>;
  readonly #watch: NodeJS.Timeout;
  #poll: NodeJS.Timeout | undefined;
  #beat = 0;
  #lastTransaction = 0;
  #closed = false;
  readonly #heartbeats = new Map<string, { beat: number; atMs: number }>();

  constructor(
    files: LogFiles,
    onForeignCommit: () => void,
    onDeath: (processes: ReadonlySet<string>) => Promise<void>,
  ) {
    this.#files = files;
    this.#onForeignCommit = onForeignCommit;
    this.#onDeath = onDeath;
    this.#watch = setInterval(() => void this.look().catch(() => {}), WATCH_MS);
    this.#watch.unref();
  }

  async register(): Promise<void> {
    await this.#write();
    await this.look();
  }

  /** Whether no other living process has the log open, and whether one was found that died with it open. */
  async look(): Promise<{ readonly alone: boolean; readonly foundDead: boolean }> {
    if (this.#closed) return { alone: true, foundDead: false };
    this.#files.env.resetReadTxn();
    const others = [...this.#files.processes.getRange()].filter(({ key }) => key !== this.name);
    const dead = new Set(others.filter(({ key, value }) => !this.#lives(key, value)).map(({ key }) => key));
    if (dead.size > 0) await this.#onDeath(dead);
    const alone = others.length === dead.size;
    // A process that started and ended between two polls may have left records.
    this.#lookForCommits();
    if (alone) {
      clearInterval(this.#poll);
      this.#poll = undefined;
      return { alone, foundDead: dead.size > 0 };
    }
    this.#poll ??= setInterval(() => this.#lookForCommits(), POLL_MS).unref();
    this.#beat++;
    await this.#write();
    return { alone, foundDead: dead.size > 0 };
  }

  /** A program that consumes lives until it closes the log, as it would with a broker's connection. */
  keepAlive(consumes: boolean): void {
    if (consumes) this.#watch.ref();
    else this.#watch.unref();
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#watch);
    clearInterval(this.#poll);
    await writeLog(this.#files, () => this.#files.processes.removeSync(this.name)).committed;
  }

  async #write(): Promise<void> {
    const process_ = { ...thisProcess(), beat: this.#beat };
    await writeLog(this.#files, () => this.#files.processes.putSync(this.name, process_)).committed;
  }

  #lookForCommits(): void {
    const { lastTxnId } = this.#files.env.getStats() as { lastTxnId: number };
    if (lastTxnId === this.#lastTransaction) return;
    this.#lastTransaction = lastTxnId;
    this.#files.env.resetReadTxn();
    this.#onForeignCommit();
  }

  #lives(name: string, { pid, startStamp, beat }: StoredProcess): boolean {
    if (!lives({ pid, startStamp })) return false;
    const heartbeat = this.#heartbeats.get(name);
    if (heartbeat === undefined || heartbeat.beat !== beat) {
      this.#heartbeats.set(name, { beat, atMs: performance.now() });
      return true;
    }
    return performance.now() - heartbeat.atMs < SILENCE_MS;
  }
}
