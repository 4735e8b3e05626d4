import { type Static, Type } from 'typebox';
import type { RouteContract } from './route-contract.js';
import { Position } from './shapes.js';

export const HiddenClosure = Type.Object({
  edges: Type.Array(Type.String(), {
    description: 'Stable ids of the closed edges, one for each direction.',
  }),
  lines: Type.Array(Type.Array(Type.Array(Type.Number(), { description: '[lat, lng], degrees.' })), {
    description: 'The shape of each edge, in the order of `edges`.',
  }),
  from_ms: Type.Integer({ description: 'Unix milliseconds.' }),
  until_ms: Type.Integer({ description: 'Unix milliseconds.' }),
  passages_per_minute: Type.Number({
    description: 'Drivers a minute who used the edges in the ten minutes before the closure.',
  }),
  turned_back: Type.Integer({
    description: 'Drivers who have come to it while it was closed, and went another way.',
  }),
});
export type HiddenClosure = Static<typeof HiddenClosure>;

export const WayAhead = Type.Object({
  edges: Type.Array(Type.String(), { description: 'From the edge that the driver is on.' }),
  duration_s: Type.Union([Type.Number(), Type.Null()], {
    description: 'With the true speeds of that moment; null where the way leads to a closed road.',
  }),
});
export type WayAhead = Static<typeof WayAhead>;

export const SimulationTruth = Type.Object({
  now_ms: Type.Integer({ description: 'Unix milliseconds.' }),
  seed: Type.Integer(),
  drivers: Type.Integer(),
  scenario: Type.String({ description: 'A name that `meridian up --help` lists.' }),
  closures: Type.Array(HiddenClosure, { description: 'Oldest first: those of today, also the ended ones.' }),
  speeds: Type.Array(Type.Object({ edge: Type.String(), kph: Type.Number() }), {
    description:
      'Mean speed of ordinary drivers now, with the wait at a signal, on each edge that anybody entered ' +
      'within ten minutes.',
  }),
  trips: Type.Array(
    Type.Object({
      id: Type.String(),
      from: Position,
      to: Position,
      departed_ms: Type.Integer({ description: 'Unix milliseconds.' }),
      arrived_ms: Type.Union([Type.Integer(), Type.Null()]),
    }),
    { description: 'Trips with guidance that are under way or ended within ten minutes, oldest first.' },
  ),
  barriers: Type.Array(Type.Object({ driver: Type.String(), edge: Type.String(), at_ms: Type.Integer() }), {
    description: 'Guided drivers who stood before a closed road within the last two minutes.',
  }),
  reroutes: Type.Array(
    Type.Object({ driver: Type.String(), at_ms: Type.Integer(), before: WayAhead, after: WayAhead }),
    { description: 'Routes that drivers received on the way within the last two minutes.' },
  ),
});
export type SimulationTruth = Static<typeof SimulationTruth>;

/** Exists only while simulated drivers run. The platform itself does not use it. */
export const getSimulationTruth = {
  operationId: 'getSimulationTruth',
  method: 'GET',
  path: '/v1/simulation/truth',
  listener: 'internal',
  tag: 'simulation',
  summary:
    'What is true in the simulated city: closed roads, speeds, trips, reroutes, drivers before closed roads',
  scopes: ['operator', 'desk'],
  responses: {
    200: { description: 'The truth at this moment.', schema: SimulationTruth },
    503: { description: 'The simulated city is not running yet, or has stopped.' },
  },
} as const satisfies RouteContract;
