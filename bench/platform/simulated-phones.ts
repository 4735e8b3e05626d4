import {
  navStreamPath,
  navStreamSubprotocol,
  type RouteBody,
  type ServerFrame,
} from '#schemas/nav-stream.js';
import type { CommuterPorts } from '#simulated-city/commuter.js';
import { navigateOver } from '#simulated-city/nav-client.js';
import { clientOver, type LocationTuple } from '#simulated-city/platform-client.js';
import { type PlatformWorld, ports } from './platform-world.js';

export interface PhoneObserver {
  /** A batch was acknowledged. */
  acknowledged(userId: string, batchId: string, points: number): void;
  /** A route reached a phone. */
  routed(route: RouteBody): void;
}

/** The simulated city's own clients, over the simulated network. */
export function simulatedPhones(
  { phoneNetwork }: Pick<PlatformWorld, 'phoneNetwork'>,
  observer: PhoneObserver,
): Pick<CommuterPorts, 'client' | 'navigate'> {
  const client = clientOver((path, body, headers) =>
    phoneNetwork.post(
      ports.ingest,
      path,
      { 'content-type': 'application/json', ...headers },
      Buffer.from(JSON.stringify(body)),
    ),
  );
  return {
    client: {
      ...client,
      // Who signs tokens is no part of the simulation.
      token: async (sub) => sub,
      async sendBatch(token: string, batchId: string, locs: readonly LocationTuple[]) {
        const sent = await client.sendBatch(token, batchId, locs);
        if (sent.outcome === 'accepted') observer.acknowledged(token, batchId, locs.length);
        return sent;
      },
      close: async () => {},
    },
    navigate: (token, origin, destination, events) =>
      navigateOver(
        (listener) =>
          phoneNetwork.connect(ports.api, navStreamPath, navStreamSubprotocol, {
            ...listener,
            received(text) {
              const frame = JSON.parse(text) as ServerFrame;
              if (frame.type === 'started' || frame.type === 'reroute') observer.routed(frame.route);
              listener.received(text);
            },
          }),
        token,
        origin,
        destination,
        events,
      ),
  };
}
