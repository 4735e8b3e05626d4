import { loadUws, type UwsSocket } from '#platform/http-transport/load-uws.js';
import { navStreamPath } from '#schemas/nav-stream.js';
import { betterFrame } from './messages.js';
import { serveOrders } from './server-process.js';

/**
 * The peer: uWebSockets.js alone, which publishes prepared texts. Each socket gets its own, because a route
 * belongs to one driver. With `all`, every socket gets the same text: no route server can do that, and hardly
 * any server can cost less.
 */
const uws = loadUws();
const toAll = process.argv.includes('all');
let opened = 0;
let open = 0;
let texts: readonly string[] = [];
const app = uws.createApp();
app.ws<object>(navStreamPath, {
  open: (socket: UwsSocket<object>) => {
    socket.subscribe(toAll ? 'all' : String(opened++));
    open++;
  },
  close: () => {
    open--;
  },
  maxBackpressure: 1024 * 1024,
});
app.listen('127.0.0.1', 0, 0, (socket) => {
  if (socket === false) throw new Error('no free port');
  serveOrders(uws.portOf(socket), {
    prepare(nth) {
      texts = Array.from({ length: toAll ? 1 : opened }, () => betterFrame(nth));
    },
    push() {
      if (toAll) app.publish('all', texts[0]!, false);
      else for (const [i, text] of texts.entries()) app.publish(String(i), text, false);
    },
    openSockets: () => open,
  });
});
