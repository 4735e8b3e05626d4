import type { ListenerTls } from '#platform/config/listener-tls.js';
import type { HttpTransport, SocketListener, SocketPath, TransportListener } from './http-transport.js';
import type { Uws, UwsApp, UwsListenSocket, UwsTls } from './load-uws.js';
import { UwsRequestAdapter, UwsUpgradeAdapter } from './uws-request.js';
import { UwsSocketAdapter } from './uws-socket.js';

/** The native side's data of a socket. It copies fields, so this is a plain object. */
interface SocketData {
  readonly listener: SocketListener;
}

/** uWebSockets.js: HTTP and WebSocket in native code, over TLS where it gets a certificate. */
export function uwsTransport(uws: Uws, tls?: ListenerTls): HttpTransport {
  const files = tls && filesOf(tls);
  return {
    name: 'uWebSockets.js',
    canSharePort: true,
    idleS: uws.idleS,
    headBytesMax: uws.headBytesMax,
    createListener(receive): TransportListener {
      const app = uws.createApp(files);
      app.any('/*', (response, request) => receive(new UwsRequestAdapter(uws, response, request)));
      let listening: UwsListenSocket | undefined;
      let closed = false;
      return {
        addSocketPath: (path) => addSocketPath(uws, app, path),
        listen: (host, port, sharePort) =>
          new Promise((resolve) => {
            app.listen(host, port, sharePort ? 0 : uws.exclusivePort, (socket) => {
              if (socket !== false) listening = socket;
              resolve(socket === false ? undefined : uws.portOf(socket));
            });
          }),
        stopListening() {
          if (listening !== undefined) uws.closeListenSocket(listening);
          listening = undefined;
        },
        close() {
          if (!closed) app.close();
          closed = true;
          listening = undefined;
        },
      };
    },
  };
}

const filesOf = ({ certificateFile, keyFile, passphrase }: ListenerTls): UwsTls => ({
  cert_file_name: certificateFile,
  key_file_name: keyFile,
  ...(passphrase === undefined ? {} : { passphrase }),
});

function addSocketPath(uws: Uws, app: UwsApp, { path, receive, ...limits }: SocketPath): void {
  app.ws<SocketData>(path, {
    maxPayloadLength: limits.payloadBytesMax,
    maxBackpressure: limits.backpressureBytesMax,
    // One binding types it as a number; both read it as a boolean.
    closeOnBackpressureLimit: 1,
    idleTimeout: limits.idleS,
    sendPingsAutomatically: true,
    upgrade: (response, request, context) => receive(new UwsUpgradeAdapter(uws, response, request, context)),
    open: (driver) => driver.getUserData().listener.opened(new UwsSocketAdapter(driver)),
    message: (driver, message, isBinary) =>
      driver.getUserData().listener.received(new Uint8Array(message), isBinary),
    close: (driver, code) => driver.getUserData().listener.closed(code),
  });
}
