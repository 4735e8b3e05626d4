import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { sqlLimits } from './limits.js';
import type { CopyIn } from './sql.js';

/** One COPY on a connection that does nothing else meanwhile. */
export class PgCopyIn implements CopyIn {
  readonly #stream: ReturnType<typeof copyFrom>;
  readonly #finished: Promise<void>;

  constructor(client: pg.PoolClient, statement: string) {
    this.#stream = client.query(
      Object.assign(copyFrom(statement), { query_timeout: sqlLimits.copyTimeoutMs }),
    );
    this.#finished = finished(this.#stream);
    // Whoever writes or ends hears of it; nobody may be listening yet.
    this.#finished.catch(() => {});
  }

  async write(rows: string | Uint8Array): Promise<void> {
    if (this.#stream.writable && this.#stream.write(rows)) return;
    if (this.#stream.writable) await Promise.race([once(this.#stream, 'drain'), this.#finished]);
    if (!this.#stream.writable) await this.#finished;
  }

  async end(): Promise<number> {
    this.#stream.end();
    await this.#finished;
    return this.#stream.rowCount;
  }

  /** The server forgets what came so far. Harmless when it has ended. */
  async giveUp(): Promise<void> {
    if (this.#stream.writableFinished || this.#stream.destroyed) return;
    this.#stream.destroy(new Error('The rows were given up by whoever sent them.'));
    await this.#finished.catch(() => {});
  }
}
