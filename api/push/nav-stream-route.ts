import type { SocketRoute } from '#platform/http/server/socket-types.js';
import type { Logger } from '#platform/telemetry/logger.js';
import { ClientFrame, navStreamPath, navStreamSubprotocol } from '#schemas/nav-stream.js';
import { NavSession, type NavSessionDeps } from './nav-session.js';
import { SocketSink } from './socket-sink.js';

export interface NavSocket {
  readonly session: NavSession;
  readonly sink: SocketSink;
}

/** The navigation socket. The server passes only valid frames of authenticated users. */
export const navStreamRoute = (
  deps: NavSessionDeps,
  logger: Logger,
): SocketRoute<ClientFrame, NavSocket> => ({
  path: navStreamPath,
  subprotocols: [navStreamSubprotocol],
  scopes: ['driver', 'customer'],
  frame: ClientFrame,
  onOpen(socket) {
    const sink = new SocketSink(socket);
    socket.data = { sink, session: new NavSession(deps, socket.identity.userId, sink) };
    sink.send({ type: 'ready', user_id: socket.identity.userId });
  },
  onFrame(socket, frame) {
    socket.data?.session.receive(frame).catch((error: unknown) => {
      logger.error('frame handling failed', { type: frame.type, error });
      socket.close(1011, 'failed');
    });
  },
  onClose(socket) {
    socket.data?.session.close();
    socket.data?.sink.close();
  },
});
