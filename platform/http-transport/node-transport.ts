import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  ServerResponse,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type ListenOptions, Server as NetServer, type Socket } from 'node:net';
import type { ListenerTls } from '#platform/config/listener-tls.js';
import type { HttpTransport, SocketPath, TransportListener } from './http-transport.js';
import { NodeConnection } from './node-connection.js';
import { NodeRequest } from './node-request.js';
import { NodeSocketPath } from './node-socket.js';
import { SlowSenders } from './slow-senders.js';

/** The limits of the older uWebSockets.js: time for a header, and until the next request. */
const idleMs = 10_000;
const checkEveryMs = 1_000;
/**
 * Above the limits of the pipeline, which answers with a problem document: line, fields and their separators.
 */
const headBytesMax = 16 * 1024;

/** `node:http` with `ws`: slower than uWebSockets.js, but available wherever Node runs. */
export const nodeTransport = nodeTransportOver(undefined);

/** The same, over TLS where it gets a certificate. */
export function nodeTransportOver(tls: ListenerTls | undefined): HttpTransport {
  return {
    name: 'node:http',
    canSharePort: mayReusePort(),
    idleS: idleMs / 1_000,
    headBytesMax,
    createListener(receive): TransportListener {
      const server = serverOver(tls, {
        maxHeaderSize: headBytesMax,
        headersTimeout: idleMs,
        keepAliveTimeout: idleMs,
        // A body has no deadline as a whole; `SlowSenders` closes those that come too slowly.
        requestTimeout: 0,
        connectionsCheckingInterval: checkEveryMs,
        // Judged by the pipeline.
        requireHostHeader: false,
      });
      // Node would drop fields beyond a limit; the pipeline counts them.
      server.maxHeadersCount = 0;
      const senders = new SlowSenders(checkEveryMs);
      const connections = new WeakMap<Socket, NodeConnection>();
      const paths = new Map<string, NodeSocketPath>();

      const connectionOf = (socket: Socket): NodeConnection => {
        const known = connections.get(socket);
        if (known !== undefined) return known;
        const made = new NodeConnection(socket);
        connections.set(socket, made);
        return made;
      };
      const deliver = (incoming: IncomingMessage, response: ServerResponse, expectsContinue: boolean) => {
        const request = new NodeRequest(incoming, response, connectionOf(incoming.socket), expectsContinue);
        if (request.hasBody) senders.watch(incoming);
        request.connection.enqueue(() => {
          if (!refusedAsOtherHttp(request)) receive(request);
        });
      };
      server.on('request', (incoming, response) => deliver(incoming, response, false));
      server.on('checkContinue', (incoming, response) => deliver(incoming, response, true));
      server.on('clientError', (error: NodeJS.ErrnoException, stream) => {
        const socket = stream as Socket;
        const connection = connections.get(socket);
        if (error.code === 'ECONNRESET' || !socket.writable || connection?.isBusy) socket.destroy();
        else {
          const status = refusals[error.code ?? ''] ?? '400 Bad Request';
          const refusal = `HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`;
          if (connection?.isClosing !== true) socket.write(refusal);
          socket.destroySoon();
        }
      });

      function upgrade(incoming: IncomingMessage, socket: Socket, rest: Buffer): void {
        // Node has detached the connection, so the answer needs a response of its own, which ends the
        // connection.
        const response = new ServerResponse(incoming);
        response.shouldKeepAlive = false;
        response.assignSocket(socket);
        response.on('finish', () => socket.destroySoon());
        socket.on('error', () => socket.destroy());
        const request = new NodeRequest(incoming, response, connectionOf(socket), false);
        const path = paths.get(request.path);
        if (request.connection.isBusy || request.connection.isClosing) request.cut();
        else if (refusedAsOtherHttp(request)) return;
        else if (path !== undefined && isWebSocket(incoming)) path.upgrade(request, rest);
        // After the header of such a request the connection is no longer HTTP, so there is no body.
        else if (request.hasBody) request.cut();
        else receive(request);
      }

      return {
        addSocketPath(path: SocketPath) {
          if (paths.size === 0)
            server.on('upgrade', (incoming, socket, rest) => upgrade(incoming, socket as Socket, rest));
          paths.set(path.path, new NodeSocketPath(path));
        },
        listen: (host, port, sharePort) =>
          listen(server, { host, port, reusePort: sharePort } as ListenOptions),
        stopListening() {
          // The close of HTTP servers would cut idle connections too, whose clients may just be sending.
          if (server.listening) NetServer.prototype.close.call(server);
        },
        close() {
          for (const path of paths.values()) path.close();
          senders.close();
          server.close();
          server.closeAllConnections();
        },
      };
    },
  };
}

/** A client without TLS, or with an older version, is cut off. */
function serverOver(tls: ListenerTls | undefined, options: ServerOptions): Server {
  if (tls === undefined) return createServer(options);
  const { chainText: cert, keyText: key, passphrase } = tls;
  const server = createTlsServer({
    ...options,
    cert,
    key,
    ...(passphrase === undefined ? {} : { passphrase }),
    minVersion: 'TLSv1.2',
    handshakeTimeout: idleMs,
  });
  // Node would hand it to the listener of unreadable requests, which answers.
  server.removeAllListeners('tlsClientError');
  server.on('tlsClientError', (_, socket) => socket.destroy());
  return server;
}

/** `reusePort` came with Node 22.12; the types are those of Node 20. */
function mayReusePort(): boolean {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  return major > 22 || (major === 22 && minor >= 12);
}

/** Requests that the parser refuses before we see them. */
const refusals: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_INVALID_METHOD: '405 Method Not Allowed\r\nallow: GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/**
 * HTTP/1.1 and 1.0 are served, with a path or an absolute URL of the same host as the target. HTTP/1.0 has no
 * chunks and no upgrades; who sends them anyway is read differently by others.
 */
function refusedAsOtherHttp(request: NodeRequest): boolean {
  const { httpVersion, headers } = request.incoming;
  const isOld = httpVersion === '1.0';
  const isKnown = isOld || httpVersion === '1.1';
  const isWhole = !isOld || (headers['transfer-encoding'] === undefined && headers.upgrade === undefined);
  if (isKnown && isWhole && request.path.startsWith('/')) return false;
  const head = isKnown ? '400 Bad Request' : '505 HTTP Version Not Supported';
  request.answer({ head, body: 0, close: true, onSent: () => undefined });
  return true;
}

function isWebSocket({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket';
}

function listen(server: Server, options: ListenOptions): Promise<number | undefined> {
  return new Promise((resolve) => {
    server.once('error', () => resolve(undefined));
    server.listen(options, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : undefined);
    });
  });
}
