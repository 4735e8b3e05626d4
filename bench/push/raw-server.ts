import { loadUws, type UwsSocket } from '#platform/http/load-uws.js';
import { navStreamPath } from '#schemas/nav-stream.js';
import { betterFrame } from './messages.js';
import { serveOrders } from './server-process.js';

/** The peer: uWebSockets.js alone, which publishes one text, made ahead, to everybody. It can hardly cost less than this. */
const uws = loadUws();
const topic = 'all';
let open = 0;
let text = '';
const app = uws.createApp();
app.ws<object>(navStreamPath, {
  open: (socket: UwsSocket<object>) => {
    open++;
    socket.subscribe(topic);
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
      text = betterFrame(nth);
    },
    push() {
      app.publish(topic, text, false);
    },
    openSockets: () => open,
  });
});
