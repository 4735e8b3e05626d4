import { loadUws } from '#platform/http-transport/load-uws.js';

/**
 * The peer: a plain uWebSockets.js server that collects and discards the body and answers 202. No server that
 * processes locations can cost less. `GET /constant` and `GET /answered` are for comparing load generators.
 * Prints its port.
 */
const uws = loadUws();
/** Requests that were answered. */
let answered = 0;
const answer = JSON.stringify({ accepted: 10 });
uws
  .createApp()
  .get('/answered', (response) => {
    response.end(String(answered));
  })
  .get('/constant', (response) => {
    answered++;
    response.writeHeader('content-type', 'application/json').end(answer);
  })
  .post('/v1/locations', (response) => {
    const chunks: Buffer[] = [];
    response.onAborted(() => undefined);
    response.onData((chunk, isLast) => {
      chunks.push(Buffer.from(chunk.slice(0)));
      if (!isLast) return;
      Buffer.concat(chunks);
      answered++;
      response.cork(() => {
        response.writeStatus('202 Accepted').writeHeader('content-type', 'application/json').end(answer);
      });
    });
  })
  .listen('127.0.0.1', 0, (socket) => {
    if (socket === false) throw new Error('no free port');
    console.log(uws.portOf(socket));
  });
