import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/**
 * All connections to a Kafka broker together bring it a number of bytes a second. What the broker says of its
 * own address is replaced by that of this line, so that no client goes past it.
 */
export class NarrowLine {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** When the bytes so far will have passed, as `performance.now()`. */
  #busyUntilMs = 0;
  /** Infinity: as wide as the machine. */
  bytesPerSecond = Number.POSITIVE_INFINITY;

  private constructor(broker: number) {
    this.#server = createServer((client) => this.#join(client, broker));
  }

  static async open(broker: number): Promise<NarrowLine> {
    const line = new NarrowLine(broker);
    line.#server.listen(0, '127.0.0.1');
    await once(line.#server, 'listening');
    return line;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #join(client: Socket, broker: number): void {
    const upstream = connect(broker, '127.0.0.1');
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      this.#sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        this.#sockets.delete(one);
        other.destroy();
      });
    }
    client.on('data', (bytes: Buffer) => {
      const now = performance.now();
      this.#busyUntilMs = Math.max(now, this.#busyUntilMs) + (1_000 * bytes.length) / this.bytesPerSecond;
      client.pause();
      setTimeout(() => {
        upstream.write(bytes);
        client.resume();
      }, this.#busyUntilMs - now);
    });
    upstream.on('data', (bytes: Buffer) => {
      const own = addressOf(broker);
      for (let at = bytes.indexOf(own); at >= 0; at = bytes.indexOf(own, at + own.length))
        addressOf(this.port).copy(bytes, at);
      client.write(bytes);
    });
  }
}

/** As in an answer about brokers: the name, then the port in four bytes. */
function addressOf(port: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(port);
  return Buffer.concat([Buffer.from('127.0.0.1'), bytes]);
}
