import { loadUws } from '#platform/http-transport/load-uws.js';

/**
 * The peer: a plain uWebSockets.js server that sends one constant buffer of the size given. Prints its port.
 */
const body = Buffer.alloc(Number(process.argv[2]), 7);
const uws = loadUws();
uws
  .createApp()
  .get('/*', (response) => {
    response
      .writeHeader('content-type', 'application/vnd.mapbox-vector-tile')
      .writeHeader('content-encoding', 'gzip')
      .writeHeader('cache-control', 'public, max-age=31536000, immutable')
      .end(body);
  })
  .listen('127.0.0.1', 0, (socket) => {
    if (socket === false) throw new Error('no free port');
    console.log(uws.portOf(socket));
  });
