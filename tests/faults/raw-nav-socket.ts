import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { navStreamPath, navStreamSubprotocol } from '#schemas/nav-stream.js';
import { eventually } from '../eventually.js';

interface FrameParts {
  /** The first byte: the end flag, three reserved bits and the opcode. */
  readonly first: number;
  readonly payload: Uint8Array | string;
  /** A client must mask what it sends. */
  readonly isMasked?: boolean;
}

/** One frame of the WebSocket protocol, right or wrong. */
export function rawFrame({ first, payload, isMasked = true }: FrameParts): Buffer {
  const bytes = Buffer.from(payload);
  const { length } = bytes;
  const long = Buffer.alloc(length < 126 ? 0 : length < 65_536 ? 2 : 8);
  if (long.length === 2) long.writeUInt16BE(length);
  if (long.length === 8) long.writeBigUInt64BE(BigInt(length));
  const short = length < 126 ? length : long.length === 2 ? 126 : 127;
  if (!isMasked) return Buffer.concat([Buffer.from([first, short]), long, bytes]);
  // A mask of zeroes changes nothing.
  return Buffer.concat([Buffer.from([first, 0x80 | short]), long, Buffer.alloc(4), bytes]);
}

/** An open navigation socket on which any bytes may be sent. */
export class RawNavSocket {
  readonly #socket: Socket;
  readonly #chunks: Buffer[] = [];
  isOver = false;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk) => this.#chunks.push(chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.isOver = true;
    });
  }

  /** Resolves when the server has said that it is ready. */
  static async open(url: string, token: string): Promise<RawNavSocket> {
    const { port } = new URL(url);
    const raw = new RawNavSocket(connect(Number(port), '127.0.0.1'));
    const lines = [
      `GET ${navStreamPath} HTTP/1.1`,
      'Host: x',
      'Upgrade: websocket',
      'Connection: Upgrade',
      `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
      'Sec-WebSocket-Version: 13',
      `Sec-WebSocket-Protocol: ${navStreamSubprotocol}`,
      `Authorization: Bearer ${token}`,
    ];
    raw.write(`${lines.join('\r\n')}\r\n\r\n`);
    await eventually(() => {
      if (!raw.received.includes('"ready"')) throw new Error(`not ready: ${raw.received}`);
    });
    return raw;
  }

  /** What the server has sent, as Latin-1. */
  get received(): string {
    return Buffer.concat(this.#chunks).toString('latin1');
  }

  /** Whether the server ended it with this code. */
  isClosedWith(code: number): boolean {
    const body = Buffer.alloc(2);
    body.writeUInt16BE(code);
    return this.isOver && this.received.includes(`${body.toString('latin1')}`);
  }

  write(bytes: Uint8Array | string): void {
    this.#socket.write(bytes);
  }

  /** Nothing more is read, and the kernel's buffers fill. */
  pause(): void {
    this.#socket.pause();
  }

  destroy(): void {
    this.#socket.destroy();
  }
}
