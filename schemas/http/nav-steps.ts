import { type Static, Type } from 'typebox';
import { NavStep } from './nav.js';
import type { RouteContract } from './route-contract.js';
import { Position, TextValue } from './shapes.js';

/** Edges of one route at most: about 500 km through a town. */
export const stepsEdgesMax = 10_000;
export const stepsBodyBytesMax = 768 * 1024;

export const NavStepsAnswer = Type.Object({
  tileset_id: Type.String(),
  metric_version: Type.Integer(),
  distance: TextValue,
  duration: TextValue,
  steps: Type.Array(NavStep),
});
export type NavStepsAnswer = Static<typeof NavStepsAnswer>;

export const postNavSteps = {
  operationId: 'postNavSteps',
  method: 'POST',
  path: '/v1/nav/steps',
  listener: 'public',
  tag: 'navigation',
  summary: 'The steps of a route that is known by its edges',
  description:
    'For the routes of the navigation stream, whose frames have `edge_ids` and no instructions. Nothing is ' +
    'searched: the steps are those of this route, also while a road of it is closed.',
  scopes: 'open',
  body: {
    maxBytes: stepsBodyBytesMax,
    contentTypes: ['application/json'],
    schema: Type.Object(
      {
        edge_ids: Type.Array(Type.String({ minLength: 3, maxLength: 96 }), {
          minItems: 1,
          maxItems: stepsEdgesMax,
          description: 'Stable ids of the directed edges, in order.',
        }),
        from: Type.Object(Position.properties, {
          additionalProperties: false,
          description: 'Where the route begins on the first edge.',
        }),
        to: Type.Object(Position.properties, {
          additionalProperties: false,
          description: 'Where the route ends on the last edge.',
        }),
        language: Type.Optional(Type.String({ maxLength: 16, description: 'As of `getNav`.' })),
        units: Type.Optional(Type.Union([Type.Literal('metric'), Type.Literal('imperial')])),
      },
      { additionalProperties: false },
    ),
  },
  responses: {
    200: { description: 'The steps, as those of a leg of `getNav`.', schema: NavStepsAnswer },
    400: { description: 'A field is invalid, an edge unknown, or two edges are not connected for cars.' },
    503: { description: 'The routing pool is saturated, or the map is not loaded yet. See Retry-After.' },
  },
} as const satisfies RouteContract;
