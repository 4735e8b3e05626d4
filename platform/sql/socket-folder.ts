import { closeSync, constants, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Bytes that `sockaddr_un` has for a path and its final zero: 108 on Linux, 104 on macOS and the BSDs. */
const pathBytesMax = process.platform === 'linux' ? 107 : 103;

/** The folder that holds the server's Unix socket, under a name that is short enough to connect to. */
export class SocketFolder {
  readonly #folder: string;
  #handle: number | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * What `pg` takes as `host` for the socket of this port; undefined where its path is too long for this
   * system.
   */
  host(port: number): string | undefined {
    if (Buffer.byteLength(join(this.#folder, `.s.PGSQL.${port}`)) <= pathBytesMax) return this.#folder;
    if (process.platform !== 'linux') return undefined;
    // Linux shows an open folder under this short path, which is valid as long as the handle is open.
    this.#handle ??= openSync(this.#folder, constants.O_RDONLY | constants.O_DIRECTORY);
    return `/proc/self/fd/${this.#handle}`;
  }

  close(): void {
    if (this.#handle !== undefined) closeSync(this.#handle);
    this.#handle = undefined;
  }
}

/**
 * Whether the cluster's `pg_hba.conf` requires the password at a socket. `initdb` wrote it so; a person may
 * have changed it, and what is not understood here (`include`, a line that continues in the next) counts as
 * no.
 */
export async function socketAsksForPassword(cluster: string): Promise<boolean> {
  const text = await readFile(join(cluster, 'pg_hba.conf'), 'utf8').catch(() => undefined);
  const closed = /^\s*(#.*|host.*|local\s+\S+\s+\S+\s+scram-sha-256\s*(#.*)?)?$/;
  return text?.split('\n').every((line) => closed.test(line)) ?? false;
}
