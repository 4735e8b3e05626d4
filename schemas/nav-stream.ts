import { type Static, Type } from 'typebox';
import { avoidances } from './http/nav.js';
import { oneOf } from './http/one-of.js';
import { Position } from './http/shapes.js';

/**
 * Frames of the WebSocket `/v1/nav/stream`, subprotocol `nav.v1.json`: JSON objects `{type, …}`. The first
 * frame of a client is `hello` unless the upgrade carried an Authorization header. Frames of the server have
 * an `id`, which grows by one within each navigation; after a reconnect, `resume` replays newer frames, once.
 * A replayed route uses no road that is closed by then: it starts after the last such road.
 */
export const navStreamPath = '/v1/nav/stream';
export const navStreamSubprotocol = 'nav.v1.json';

/** Points that tell a route from its alternatives. */
export const alongMax = 16;

const NavigationId = Type.String({ minLength: 1, maxLength: 64 });

export const ClientHello = Type.Object(
  { type: Type.Literal('hello'), token: Type.String({ maxLength: 8_192 }) },
  { additionalProperties: false },
);
export const ClientStart = Type.Object(
  {
    type: Type.Literal('start'),
    origin: Position,
    heading: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 360,
        description: 'Degrees from north that the driver moves in; the route then begins in that direction.',
      }),
    ),
    destination: Position,
    avoid: Type.Optional(Type.Array(oneOf(avoidances), { maxItems: 4 })),
    along: Type.Optional(
      Type.Array(Position, {
        minItems: 1,
        maxItems: alongMax,
        description:
          'Points of the route that the driver chose among alternatives. Of the fastest route and up to ' +
          'two alternatives, the one that passes nearest to them is taken. A faster route is sent only if ' +
          'it saves more than what the driver knew when choosing.',
      }),
    ),
  },
  { additionalProperties: false },
);
export const ClientPosition = Type.Object(
  {
    type: Type.Literal('position'),
    navigation_id: NavigationId,
    lat: Type.Number({ minimum: -90, maximum: 90 }),
    lng: Type.Number({ minimum: -180, maximum: 180 }),
    timestamp: Type.Number(),
  },
  { additionalProperties: false },
);
export const ClientResume = Type.Object(
  {
    type: Type.Literal('resume'),
    navigation_id: NavigationId,
    last_id: Type.Integer({ minimum: 0, description: 'Last `id` that the client has handled.' }),
  },
  { additionalProperties: false },
);
export const ClientEnd = Type.Object(
  { type: Type.Literal('end'), navigation_id: NavigationId },
  { additionalProperties: false },
);
export const ClientPing = Type.Object({ type: Type.Literal('ping') }, { additionalProperties: false });

const clientFrames = [ClientHello, ClientStart, ClientPosition, ClientResume, ClientEnd, ClientPing] as const;
/** Distinguished by `type`, so that errors refer to the intended frame. */
export const ClientFrame = Type.Unsafe<Static<(typeof clientFrames)[number]>>({
  type: 'object',
  required: ['type'],
  properties: { type: Type.String() },
  discriminator: { propertyName: 'type' },
  oneOf: [...clientFrames],
});
export type ClientFrame = Static<typeof ClientFrame>;

const RouteBody = Type.Object({
  polyline: Type.String({ description: 'Encoded polyline, precision 5.' }),
  distance_m: Type.Number(),
  duration_s: Type.Number(),
  metric_version: Type.Integer(),
  edge_ids: Type.Array(Type.String()),
});
export type RouteBody = Static<typeof RouteBody>;

export const ServerReady = Type.Object({ type: Type.Literal('ready'), user_id: Type.String() });
export const ServerStarted = Type.Object({
  type: Type.Literal('started'),
  id: Type.Integer(),
  navigation_id: NavigationId,
  route: RouteBody,
  tiles: Type.Array(Type.String(), {
    description:
      'Navigating-user record: start tile to ever coarser tiles up to one that holds the destination.',
  }),
  warnings: Type.Array(Type.String(), {
    description:
      'What to know before setting out, such as how far from the destination the route ends. A better ' +
      'route that is sent later ends no farther from it.',
  }),
});
export const ServerReroute = Type.Object({
  type: Type.Literal('reroute'),
  id: Type.Integer(),
  navigation_id: NavigationId,
  route: RouteBody,
  reason: Type.String(),
  evidence: Type.String(),
  saves_s: Type.Union([Type.Number(), Type.Null()], { description: 'Null when the old route is closed.' }),
  caused_at: Type.Number({
    description: 'Unix milliseconds: acceptance of the point that tipped the change.',
  }),
});
export const ServerUnreachable = Type.Object(
  {
    type: Type.Literal('unreachable'),
    id: Type.Integer(),
    navigation_id: NavigationId,
    reason: Type.String({ description: 'For people: why there is no way now.' }),
    evidence: Type.String(),
    metric_version: Type.Integer({ description: 'Version of the driving metric on which no way was found.' }),
    caused_at: Type.Number({
      description: 'Unix milliseconds: acceptance of the point that tipped the change.',
    }),
  },
  {
    description:
      'The route is closed and no other leads to the destination now. The navigation goes on: ' +
      'a `reroute` follows as soon as there is a way.',
  },
);
export const ServerEnded = Type.Object({
  type: Type.Literal('ended'),
  id: Type.Integer(),
  navigation_id: NavigationId,
});
export const ServerPong = Type.Object({ type: Type.Literal('pong') });
export const ServerError = Type.Object({
  type: Type.Literal('error'),
  code: Type.String(),
  detail: Type.String(),
});
export const ServerFrame = Type.Union([
  ServerReady,
  ServerStarted,
  ServerReroute,
  ServerUnreachable,
  ServerEnded,
  ServerPong,
  ServerError,
]);
export type ServerFrame = Static<typeof ServerFrame>;
