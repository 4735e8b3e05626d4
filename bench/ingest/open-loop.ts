import { connect, type Socket } from 'node:net';
import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';

export interface SecondOfLoad {
  readonly sent: number;
  readonly accepted: number;
  readonly refused: number;
}

export interface OpenLoopResult {
  readonly answers: ReadonlyMap<number, number>;
  /** Microseconds from the moment at which a request was due, whether or not a connection was free then. */
  readonly acceptedLatency: RecordableHistogram;
  readonly refusedLatency: RecordableHistogram;
  readonly bySecond: readonly SecondOfLoad[];
  /** Requests beyond the generator's own limit; they count as not answered. */
  readonly overflowed: number;
  readonly seconds: number;
}

const tickMs = 2;
const waitingMax = 50_000;
const hourMicros = 3_600_000_000;

/**
 * Sends `perSecond` requests a second, whatever the server does: users do not wait for each other. A request
 * is due at its place in a steady schedule and its latency counts from there (no coordinated omission); one
 * that finds no free connection waits for one.
 */
export async function openLoop(options: {
  readonly port: number;
  readonly connections: number;
  readonly perSecond: number;
  readonly seconds: number;
  readonly nextRequest: () => Buffer;
  /** The status of an accepted request; 202 when absent. */
  readonly acceptedStatus?: number;
}): Promise<OpenLoopResult> {
  const { port, connections, perSecond, seconds, nextRequest, acceptedStatus = 202 } = options;
  const answers = new Map<number, number>();
  const acceptedLatency = createHistogram({ lowest: 1, highest: hourMicros, figures: 3 });
  const refusedLatency = createHistogram({ lowest: 1, highest: hourMicros, figures: 3 });
  const bySecond = Array.from({ length: Math.ceil(seconds) + 1 }, () => ({
    sent: 0,
    accepted: 0,
    refused: 0,
  }));
  const free: Line[] = [];
  const waiting: number[] = [];
  let waitingFrom = 0;
  let scheduled = 0;
  let overflowed = 0;
  const lines = await Promise.all(Array.from({ length: connections }, () => openLine(port, onAnswer)));
  free.push(...lines);
  const started = performance.now();

  function onAnswer(line: Line, status: number): void {
    const now = performance.now();
    answers.set(status, (answers.get(status) ?? 0) + 1);
    const micros = Math.max(1, Math.round((now - line.dueMs) * 1_000));
    const second = bySecond[Math.min(bySecond.length - 1, Math.floor((now - started) / 1_000))]!;
    if (status === acceptedStatus) {
      acceptedLatency.record(micros);
      second.accepted++;
    } else {
      refusedLatency.record(micros);
      second.refused++;
    }
    const dueMs = waiting[waitingFrom];
    if (dueMs === undefined) free.push(line);
    else {
      waitingFrom++;
      dispatch(line, dueMs);
    }
  }

  function dispatch(line: Line, dueMs: number): void {
    line.dueMs = dueMs;
    line.socket.write(nextRequest());
  }

  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const elapsed = (performance.now() - started) / 1_000;
      if (waitingFrom > 10_000) {
        waiting.splice(0, waitingFrom);
        waitingFrom = 0;
      }
      for (const due = Math.min(elapsed, seconds) * perSecond; scheduled < due; scheduled++) {
        const dueMs = started + (scheduled / perSecond) * 1_000;
        bySecond[Math.min(bySecond.length - 1, Math.floor((dueMs - started) / 1_000))]!.sent++;
        const line = free.pop();
        if (line !== undefined) dispatch(line, dueMs);
        else if (waiting.length - waitingFrom < waitingMax) waiting.push(dueMs);
        else overflowed++;
      }
      if (elapsed < seconds) return;
      clearInterval(timer);
      resolve();
    }, tickMs);
  });
  // Requests in flight get two more seconds; requests that still wait were not answered in time.
  overflowed += waiting.length - waitingFrom;
  waitingFrom = waiting.length;
  const end = performance.now() + 2_000;
  while (free.length < lines.length && performance.now() < end)
    await new Promise((wake) => setTimeout(wake, 20));
  for (const { socket } of lines) socket.destroy();
  return { answers, acceptedLatency, refusedLatency, bySecond, overflowed, seconds };
}

interface Line {
  readonly socket: Socket;
  dueMs: number;
}

function openLine(port: number, onAnswer: (line: Line, status: number) => void): Promise<Line> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    const line: Line = { socket, dueMs: 0 };
    let pending = '';
    socket.on('error', reject);
    socket.on('connect', () => resolve(line));
    socket.on('data', (chunk) => {
      pending += chunk.toString('latin1');
      const headEnd = pending.indexOf('\r\n\r\n');
      if (headEnd < 0) return;
      const length = Number(/content-length: (\d+)/i.exec(pending)?.[1] ?? 0);
      if (pending.length < headEnd + 4 + length) return;
      const status = Number(pending.slice(9, 12));
      pending = pending.slice(headEnd + 4 + length);
      onAnswer(line, status);
    });
  });
}
