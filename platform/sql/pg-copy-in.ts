import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import type pg from 'pg';
import type { CopyIn } from './sql.js';

/**
 * This many bytes are sent immediately instead of at the end of the turn, so that the server works while the
 * next rows are encoded.
 */
const worthAPacketBytes = 4_096;
const nothing = Buffer.alloc(0);

/** A message of the protocol: its letter, its length without the letter, its body. */
function headOf(letter: 'd' | 'c' | 'f', bodyBytes: number): Buffer {
  const head = Buffer.allocUnsafe(5);
  head.write(letter, 'latin1');
  head.writeUInt32BE(4 + bodyBytes, 1);
  return head;
}

/**
 * One COPY on a connection that runs nothing else meanwhile. The rows do not wait for the server's
 * permission: if it fails before or after, it skips the rows. So the statement is sent together with the
 * first of them.
 */
export class PgCopyIn implements CopyIn {
  /** Settles when the server has accepted or refused the rows. */
  readonly finished: Promise<number>;
  /** Bytes written before the connection started this statement. */
  readonly #early: Uint8Array[] = [];
  #socket: Duplex | undefined;
  #isGathering = false;
  #isFirst = true;
  #isEnded = false;
  #isOver = false;

  /** `answerTimeoutMs`: of the connection where it is not given. */
  constructor(client: pg.PoolClient, statement: string, answerTimeoutMs: number | undefined) {
    this.finished = new Promise((resolve, reject) => {
      let rows = 0;
      // The driver runs every object that has `submit`, and calls these methods.
      const copy = {
        query_timeout: answerTimeoutMs,
        /** The driver stores its timeout here. */
        callback: () => {},
        submit: (connection: pg.Connection) => {
          const socket = connection.stream;
          this.#socket = socket;
          this.#gather(socket);
          connection.query(statement);
          for (const bytes of this.#early.splice(0)) socket.write(bytes);
        },
        // Results of earlier statements.
        handleRowDescription: () => {},
        handleDataRow: () => {},
        handleCopyInResponse: () => {},
        handleCommandComplete: ({ text }: { readonly text: string }) => {
          if (text.startsWith('COPY ')) rows = Number(text.slice(5));
        },
        handleError: (error: Error) => {
          this.#isOver = true;
          copy.callback();
          reject(error);
        },
        handleReadyForQuery: () => {
          this.#isOver = true;
          copy.callback();
          resolve(rows);
        },
      };
      client.query(copy);
    });
    // Writing or ending reports the error; there may be no listener yet.
    this.finished.catch(() => {});
  }

  async write(rows: string | Uint8Array): Promise<void> {
    // The connection may belong to another caller by now.
    if (this.#isEnded) throw new Error('The copy has ended: write all rows before its end.');
    const body = typeof rows === 'string' ? Buffer.from(rows) : rows;
    if (!this.#send(headOf('d', body.length), body) && this.#socket !== undefined && !this.#isOver)
      await Promise.race([once(this.#socket, 'drain'), this.finished]);
    if (this.#isOver) await this.finished;
  }

  async end(): Promise<number> {
    this.#isEnded = true;
    this.#send(headOf('c', 0), nothing);
    return this.finished;
  }

  /** Makes the server discard the rows sent so far. Harmless when the copy has ended. */
  async giveUp(): Promise<void> {
    const reason = Buffer.from('The sender stopped the copy.\0');
    if (!this.#isEnded) this.#send(headOf('f', reason.length), reason);
    this.#isEnded = true;
    await this.finished.catch(() => {});
  }

  /** False if the socket's buffer is full. */
  #send(head: Buffer, body: Uint8Array): boolean {
    if (this.#isOver) return true;
    const socket = this.#socket;
    if (socket === undefined) {
      this.#early.push(head, body);
      return true;
    }
    this.#gather(socket);
    socket.write(head);
    const hasRoom = body.length === 0 || socket.write(body);
    if (this.#isFirst && body.length >= worthAPacketBytes) this.#letGo(socket);
    return hasRoom;
  }

  /** Rows written in one turn are sent in one packet. */
  #gather(socket: Duplex): void {
    if (this.#isGathering) return;
    this.#isGathering = true;
    socket.cork();
    process.nextTick(() => this.#letGo(socket));
  }

  #letGo(socket: Duplex): void {
    if (!this.#isGathering) return;
    this.#isGathering = false;
    this.#isFirst = false;
    socket.uncork();
  }
}
