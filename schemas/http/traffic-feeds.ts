import type { RouteContract } from './route-contract.js';

const feed = {
  method: 'GET',
  listener: 'public',
  tag: 'traffic',
  scopes: 'open',
} as const;
const incidents =
  'Active incidents that operators reported or that were found in drives; not those that were imported ' +
  'from another feed. At most 5,000, the newest first. Locations have coordinates and OpenLR.';

export const getWzdxFeed = {
  ...feed,
  operationId: 'getWzdxFeed',
  path: '/v1/traffic/feed.wzdx.json',
  summary: 'Closures and slow roads as a WZDx 4.2 work zone feed',
  description: `${incidents} OpenLR is the foreign member \`openlr\` of the properties, in base64.`,
  responses: {
    200: { description: 'WZDx 4.2.', contentType: 'application/geo+json' },
    304: { description: 'Not modified.' },
  },
} as const satisfies RouteContract;

export const getDatex2Feed = {
  ...feed,
  operationId: 'getDatex2Feed',
  path: '/v1/traffic/feed.datex2.xml',
  summary: 'Closures and slow roads as a DATEX II situation publication',
  description: incidents,
  responses: {
    200: { description: 'DATEX II 3.1, `d2:payload`.', contentType: 'application/xml' },
    304: { description: 'Not modified.' },
  },
} as const satisfies RouteContract;
