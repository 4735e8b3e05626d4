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

export const getDatex2Speeds = {
  ...feed,
  operationId: 'getDatex2Speeds',
  path: '/v1/traffic/speeds.datex2.xml',
  summary: 'Live speeds as a DATEX II elaborated data publication',
  description:
    'Road edges whose current speed differs from free flow, at most 5,000, the slowest beside free flow ' +
    'first. Closed roads are in the situation publication. Written at most every 15 s.',
  responses: {
    200: { description: 'DATEX II 3.1, `d2:payload`.', contentType: 'application/xml' },
    204: { description: 'No edge has another speed than free flow.' },
    304: { description: 'Not modified.' },
  },
} as const satisfies RouteContract;
