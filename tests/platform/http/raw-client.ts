import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

/** Ports whose listener speaks TLS, with the certificate that it shows. */
export const certificateOfPort = new Map<number, string>();

/** A connection to a listener of this machine, with TLS where it speaks TLS. */
export function connectTo(port: number, onConnect?: () => void): Socket {
  const ca = certificateOfPort.get(port);
  return ca === undefined
    ? connect(port, '127.0.0.1', onConnect)
    : connectTls({ port, host: '127.0.0.1', ca }, onConnect);
}

export interface Conversation {
  /** All bytes the server sent, as Latin-1. */
  readonly answer: string;
  readonly closed: boolean;
  /** Code of the error that ended the connection, such as ECONNRESET. */
  readonly failed: string | undefined;
}

/**
 * Sends bytes unchanged and reads until the server closes, until `isDone`, or for `waitMs`. Pieces are sent
 * one event loop turn apart, so that they arrive separately.
 */
export function converse(
  port: number,
  pieces: string | readonly string[],
  options: { readonly waitMs?: number; readonly isDone?: (answer: string) => boolean } = {},
): Promise<Conversation> {
  return new Promise((resolve) => {
    const socket = connectTo(port);
    let answer = '';
    let failed: string | undefined;
    let settled = false;
    const settle = (closed: boolean) => {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      socket.destroy();
      resolve({ answer, closed, failed });
    };
    const timer = setTimeout(() => settle(false), options.waitMs ?? 2_000);
    socket.setNoDelay(true);
    socket.on('data', (data) => {
      answer += data.toString('latin1');
      if (options.isDone?.(answer) === true) settle(false);
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      failed = error.code;
    });
    socket.on('close', () => settle(true));
    void (async () => {
      for (const piece of typeof pieces === 'string' ? [pieces] : pieces) {
        if (!socket.destroyed) socket.write(Buffer.from(piece, 'latin1'));
        await new Promise((wake) => setTimeout(wake, 5));
      }
    })();
  });
}

/** Status codes of the answers, in order. */
export function statuses(answer: string): number[] {
  return [...answer.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}
