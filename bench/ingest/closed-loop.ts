import { connect, type Socket } from 'node:net';

export interface LoopResult {
  /** Answers by status. */
  readonly answers: ReadonlyMap<number, number>;
  readonly seconds: number;
}

/**
 * Keeps `connections` requests in flight on plain keep-alive sockets for `seconds` and counts the answers. It
 * writes prepared bytes and only searches for status lines, so that the generator needs little CPU compared
 * with the server that it measures. Closed loop: it finds the server's capacity, not its latency at a given
 * rate.
 */
export async function closedLoop(options: {
  readonly port: number;
  readonly connections: number;
  readonly seconds: number;
  /** The next complete request, headers and body. */
  readonly nextRequest: () => Buffer;
}): Promise<LoopResult> {
  const answers = new Map<number, number>();
  const started = performance.now();
  const endAt = started + options.seconds * 1_000;
  await Promise.all(
    Array.from({ length: options.connections }, () =>
      runConnection(options.port, endAt, options.nextRequest, count),
    ),
  );
  return { answers, seconds: (performance.now() - started) / 1_000 };

  function count(head: string): void {
    const status = Number(head.slice(9, 12));
    answers.set(status, (answers.get(status) ?? 0) + 1);
  }
}

function runConnection(
  port: number,
  endAt: number,
  nextRequest: () => Buffer,
  count: (head: string) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let pending: Buffer = Buffer.alloc(0);
    socket.on('connect', () => socket.write(nextRequest()));
    socket.on('error', reject);
    socket.on('close', () => resolve());
    socket.on('data', (chunk) => {
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
      const headEnd = pending.indexOf('\r\n\r\n');
      if (headEnd < 0) return;
      const head = pending.toString('latin1', 0, headEnd);
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
      if (pending.length < headEnd + 4 + length) return;
      pending = pending.subarray(headEnd + 4 + length);
      count(head);
      if (performance.now() >= endAt) socket.end();
      else socket.write(nextRequest());
    });
  });
}
