import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A TCP proxy on loopback that a test can cut, freeze and restore, to simulate an unavailable server. */
export class WireCut {
  readonly #sockets = new Set<Socket>();
  #target: { readonly host: string; readonly port: number };
  #server: Server | undefined;
  #frozen = false;
  port = 0;

  constructor(target: { readonly host: string; readonly port: number }) {
    this.#target = target;
  }

  async mend(): Promise<void> {
    this.#frozen = false;
    for (const socket of this.#sockets) socket.resume();
    if (this.#server !== undefined) return;
    this.#server = createServer((client) => {
      const upstream = connect(this.#target);
      for (const [from, to] of [
        [client, upstream],
        [upstream, client],
      ] as const) {
        this.#sockets.add(from);
        from.on('error', () => to.destroy());
        from.on('close', () => {
          this.#sockets.delete(from);
          to.destroy();
        });
        from.pipe(to);
        if (this.#frozen) from.pause();
      }
    });
    this.#server.listen(this.port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.port = (this.#server.address() as AddressInfo).port;
  }

  /** New connections lead to another server. */
  moveTo(target: { readonly host: string; readonly port: number }): void {
    this.#target = target;
  }

  /** Connections stay open, but no byte passes. */
  freeze(): void {
    this.#frozen = true;
    for (const socket of this.#sockets) socket.pause();
  }

  /** Connections break and new ones are refused. */
  async cut(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    for (const socket of this.#sockets) socket.destroy();
    if (server !== undefined) await new Promise((resolve) => server.close(resolve));
  }
}
