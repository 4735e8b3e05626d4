/** The messages between the coordinator and a server. */
export type ServerOrder =
  /**
   * Prepares the messages, which is not measured: `ready` to the last byte, or as a route server receives
   * them.
   */
  | { readonly do: 'prepare'; readonly nth: number; readonly ready: boolean }
  | { readonly do: 'push' }
  | { readonly do: 'cpu' };
export type ServerReport =
  | { readonly is: 'listening'; readonly port: number }
  | { readonly is: 'prepared' }
  | { readonly is: 'cpu'; readonly seconds: number; readonly openSockets: number };

export interface OrderedServer {
  prepare(nth: number, ready: boolean): void;
  push(): void | Promise<void>;
  openSockets(): number;
}

/** Present under `--expose-gc`. */
const collect = (globalThis as { readonly gc?: () => void }).gc;

/** Serves requests until the coordinator has ended. */
export function serveOrders(port: number, server: OrderedServer): void {
  const report = (message: ServerReport): void => {
    process.send?.(message);
  };
  process.on('disconnect', () => process.exit());
  process.on('message', (order: ServerOrder) => {
    switch (order.do) {
      case 'prepare':
        server.prepare(order.nth, order.ready);
        // What the making left behind would be collected while the push is measured.
        collect?.();
        report({ is: 'prepared' });
        break;
      case 'push':
        void server.push();
        break;
      case 'cpu': {
        const { user, system } = process.cpuUsage();
        report({ is: 'cpu', seconds: (user + system) / 1e6, openSockets: server.openSockets() });
      }
    }
  });
  report({ is: 'listening', port });
}
