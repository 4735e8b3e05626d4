import { type Static, Type } from 'typebox';
import { getNav, NavAnswer } from './nav.js';
import type { RouteContract } from './route-contract.js';

const SearchWork = Type.Object({
  settled: Type.Integer({ description: 'Roads whose least time the search has fixed.' }),
  detailed_cells: Type.Integer({
    description:
      'Cells of the finest level of which single roads were read. The search crosses the others on the ' +
      'coarser levels.',
  }),
  crossed_cells: Type.Integer({ description: 'Cells of the finest level that the leg crosses.' }),
});
export type SearchWork = Static<typeof SearchWork>;

const debug = Type.Optional(Type.Boolean({ description: 'The answer has `debug`, the work of the search.' }));

/** `getNav`, which says on request what its search read of the map. */
export const getNavWithWork = {
  ...getNav,
  query: Type.Object({ ...getNav.query.properties, debug }, { additionalProperties: false }),
  responses: {
    ...getNav.responses,
    200: {
      ...getNav.responses[200],
      schema: Type.Object({
        ...NavAnswer.properties,
        debug: Type.Optional(
          Type.Array(SearchWork, {
            description: 'With `debug`: the work of the search for each leg of the first route.',
          }),
        ),
      }),
    },
  },
} as const satisfies RouteContract;
export type NavAnswerWithWork = NavAnswer & { readonly debug?: readonly SearchWork[] };
