import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { StormServers } from './storm-servers.js';

export interface StormRules {
  /** 0 ≤ random < 1. */
  readonly random: () => number;
  /** Collects the duplicates of doubled requests, which are not awaited here. */
  readonly twins: Array<Promise<unknown>>;
  /** One request in this many is sent twice at the same time. */
  readonly doubledEvery: number;
  /** One request in this many is sent by a client that disconnects before the answer and sends it again. */
  readonly hangUpEvery: number;
}

const answerMsMax = 15_000;

/**
 * A guest who wants one room and repeats the request with the same id until it is granted or refused.
 * Resolves with the answer and the number of attempts.
 */
export async function insist(
  servers: StormServers,
  turn: number,
  stay: object,
  rules: StormRules,
): Promise<{ readonly id: string; readonly sold: boolean; readonly asked: number }> {
  const id = randomUUID();
  const body = JSON.stringify({ reservationID: id, roomCount: '1', ...stay });
  const chance = (every: number) => rules.random() * every < 1;
  let asked = 0;
  for (;;) {
    const port = servers.port(turn + asked);
    if (port === undefined) {
      await delay(50);
      continue;
    }
    const bytes = requestBytes(servers.tokens[turn % servers.tokens.length]!, body);
    asked += 1;
    if (chance(rules.hangUpEvery)) await hangUp(port, bytes);
    if (chance(rules.doubledEvery)) rules.twins.push(send(port, bytes));
    const status = await send(port, bytes);
    if (status === 201 || status === 200) return { id, sold: true, asked };
    if (status === 409) return { id, sold: false, asked };
    if (status !== undefined && status !== 503)
      throw new Error(`void: a reservation was answered with ${status}`);
    await delay(20 + 80 * rules.random());
  }
}

const requestBytes = (token: string, body: string): string =>
  `POST /v1/reservations HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\nauthorization: Bearer ${token}\r\n` +
  `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

/** The status; undefined when the connection broke or no response arrived. The outcome is then unknown. */
function send(port: number, bytes: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let head = '';
    const end = () => {
      socket.destroy();
      resolve(/^HTTP\/1\.1 (\d{3})/.test(head) ? Number(head.slice(9, 12)) : undefined);
    };
    socket.setTimeout(answerMsMax, end);
    socket.on('connect', () => socket.write(bytes));
    socket.on('data', (chunk) => {
      head += chunk.toString('latin1');
      if (head.includes('\r\n\r\n')) end();
    });
    socket.on('error', end);
    socket.on('close', end);
  });
}

/** Sends the complete request and disconnects. */
function hangUp(port: number, bytes: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    socket.on('error', () => resolve());
    socket.on('close', () => resolve());
    socket.on('connect', () => socket.write(bytes, () => socket.destroy()));
  });
}
