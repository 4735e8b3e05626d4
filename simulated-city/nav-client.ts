import { WebSocket } from 'undici';
import {
  type ClientFrame,
  navStreamPath,
  navStreamSubprotocol,
  type RouteBody,
  type ServerFrame,
} from '#schemas/nav-stream.js';
import type { LatLng } from '#schemas/units.js';

export interface NavEvents {
  started(navigationId: string, route: RouteBody): void;
  rerouted(route: RouteBody, reason: string, causedAt: number): void;
  /** The navigation is over or could not begin; the driver goes on without guidance. */
  lost(reason: string): void;
}

export interface NavClient {
  position(point: LatLng, timestamp: number): void;
  end(): void;
}

/** A WebSocket that is being opened; `closed` is the last thing that is heard of it. */
export interface NavSocketListener {
  opened(): void;
  received(text: string): void;
  closed(reason: string): void;
}

export interface NavSocket {
  /** Does nothing before it is open and after it is closed. */
  send(text: string): void;
  close(): void;
}

/** What is known beside the place, such as the heading, is not part of the frame. */
const placeOf = ({ lat, lng }: LatLng): LatLng => ({ lat, lng });

/** One navigation over the platform's socket. */
export const startNavigation = (
  baseUrl: string,
  token: string,
  origin: LatLng & { readonly headingDeg: number },
  destination: LatLng,
  events: NavEvents,
): NavClient => navigateOver((listener) => openSocket(baseUrl, listener), token, origin, destination, events);

function openSocket(baseUrl: string, listener: NavSocketListener): NavSocket {
  const socket = new WebSocket(baseUrl.replace(/^http/, 'ws') + navStreamPath, [navStreamSubprotocol]);
  socket.addEventListener('open', () => listener.opened());
  socket.addEventListener('close', () => listener.closed('socket closed'));
  socket.addEventListener('error', () => listener.closed('socket failed'));
  socket.addEventListener('message', ({ data }) => listener.received(String(data)));
  return {
    send(text) {
      if (socket.readyState === WebSocket.OPEN) socket.send(text);
    },
    close: () => socket.close(),
  };
}

/** Hello, start, follow what the platform says. */
export function navigateOver(
  open: (listener: NavSocketListener) => NavSocket,
  token: string,
  origin: LatLng & { readonly headingDeg: number },
  destination: LatLng,
  events: NavEvents,
): NavClient {
  let navigationId: string | undefined;
  let over = false;
  const send = (frame: ClientFrame): void => socket.send(JSON.stringify(frame));
  const finish = (reason: string): void => {
    if (over) return;
    over = true;
    socket.close();
    events.lost(reason);
  };
  const received = (text: string): void => {
    const frame = JSON.parse(text) as ServerFrame;
    switch (frame.type) {
      case 'ready':
        send({
          type: 'start',
          origin: placeOf(origin),
          heading: origin.headingDeg,
          destination: placeOf(destination),
        });
        break;
      case 'started':
        navigationId = frame.navigation_id;
        events.started(frame.navigation_id, frame.route);
        break;
      case 'reroute':
        events.rerouted(frame.route, frame.reason, frame.caused_at);
        break;
      case 'ended':
        finish('ended');
        break;
      case 'error':
        finish(frame.detail);
        break;
      // The driver goes on and receives a route as soon as there is one.
      case 'unreachable':
      case 'pong':
        break;
    }
  };
  const socket = open({ opened: () => send({ type: 'hello', token }), received, closed: finish });
  return {
    position({ lat, lng }, timestamp) {
      if (navigationId !== undefined && !over) {
        send({ type: 'position', navigation_id: navigationId, lat, lng, timestamp });
      }
    },
    end() {
      if (over) return;
      over = true;
      if (navigationId !== undefined) send({ type: 'end', navigation_id: navigationId });
      socket.close();
    },
  };
}
