import { type Static, Type } from 'typebox';
import { meteredFamilies } from './metered-families.js';
import { oneOf } from './one-of.js';
import type { RouteContract } from './route-contract.js';

const closed = { additionalProperties: false } as const;
const id = (description: string) =>
  Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,39}$', description: `${description} Lower case, digits, -.` });
const planId = id('Names the plan.');
const customerId = id('Names the customer.');
const keyId = Type.String({ pattern: '^[0-9a-f]{16}$' });
const time = (description: string) => Type.String({ format: 'date-time', description });
const day = (description: string) => Type.String({ format: 'date', description });
const family = oneOf(meteredFamilies);
const management = { listener: 'internal', tag: 'API keys', scopes: ['operator'] } as const;
const json = { maxBytes: 8_192, contentTypes: ['application/json'] } as const;
const noCustomer = { description: 'No such customer.' };

const quota = Type.Optional(Type.Integer({ minimum: 0, maximum: 1e12 }));
const Quotas = Type.Object(
  { navigation: quota, geocoding: quota, map: quota, traffic: quota, locations: quota },
  {
    ...closed,
    description: 'Requests in a calendar month (UTC) by family; a family without a number has no quota.',
  },
);

const planFields = {
  perSecond: Type.Number({
    exclusiveMinimum: 0,
    maximum: 100_000,
    description: 'Requests per second, on average.',
  }),
  burst: Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Requests at once.' }),
  perMonth: Quotas,
};
export const NewPlan = Type.Object(planFields, closed);
export type NewPlan = Static<typeof NewPlan>;
const Plan = Type.Object({ planID: planId, ...planFields }, closed);

const Customer = Type.Object(
  { customerID: customerId, name: Type.String(), planID: planId, createdAt: time('When it was added.') },
  closed,
);

const keyFields = {
  families: Type.Array(family, {
    minItems: 1,
    maxItems: meteredFamilies.length,
    uniqueItems: true,
    description: 'Operations that the key allows, by the tags of this document.',
  }),
  label: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'For people.' })),
  expiresAt: Type.Optional(time('The key is refused from then on; absent: never.')),
};
export const NewKey = Type.Object(keyFields, closed);
export type NewKey = Static<typeof NewKey>;
const Key = Type.Object(
  {
    keyID: keyId,
    prefix: Type.String({ description: 'How the key begins, to tell keys apart.' }),
    ...keyFields,
    createdAt: time('When it was made.'),
    revokedAt: Type.Optional(time('When it was revoked.')),
    lastUsedAt: Type.Optional(time('Of a request with the key, to a second.')),
  },
  closed,
);
export type KeyView = Static<typeof Key>;

const UsageRow = Type.Object({ day: day('UTC.'), family, requests: Type.Integer({ minimum: 0 }) }, closed);
const range = {
  from: Type.Optional(day('First day (UTC). Default: the first of this month.')),
  to: Type.Optional(day('Last day. Default: today.')),
};
const ThisMonth = Type.Array(
  Type.Object(
    {
      family,
      requests: Type.Integer(),
      quota: Type.Optional(Type.Integer({ description: 'Per month.' })),
    },
    closed,
  ),
);
const Usage = Type.Object(
  {
    customerID: customerId,
    planID: planId,
    from: day('First day.'),
    to: day('Last day.'),
    thisMonth: ThisMonth,
    days: Type.Array(UsageRow),
  },
  closed,
);
const counted =
  'Counted are requests with an API key whose answer has a status below 500, except those that were ' +
  'refused with 401, 403 or 429 before they began. The last seconds may be missing.';
const csv = {
  200: { description: 'CSV with a header line.', schema: Type.String(), contentType: 'text/csv' },
} as const;

export const getUsage = {
  operationId: 'getUsage',
  method: 'GET',
  path: '/v1/usage',
  listener: 'public',
  tag: 'API keys',
  scopes: 'apiKey',
  summary: 'How many requests you have made',
  description: counted,
  query: Type.Object(range),
  responses: {
    200: { description: 'By day and family; days without requests are left out.', schema: Usage },
  },
} as const satisfies RouteContract;

export const getUsageExport = {
  ...getUsage,
  operationId: 'getUsageExport',
  path: '/v1/usage-export',
  summary: 'How many requests you have made, as CSV',
  responses: csv,
} as const satisfies RouteContract;

export const putPlan = {
  ...management,
  operationId: 'putPlan',
  method: 'PUT',
  path: '/v1/plans/{plan}',
  summary: 'Add or change a plan',
  description: 'Takes effect for all its customers within ten seconds.',
  params: Type.Object({ plan: planId }),
  body: { ...json, schema: NewPlan },
  responses: { 200: { description: 'As it is now.', schema: Plan } },
} as const satisfies RouteContract;

export const listPlans = {
  ...management,
  operationId: 'listPlans',
  method: 'GET',
  path: '/v1/plans',
  summary: 'Plans of customers with API keys',
  responses: { 200: { description: 'All.', schema: Type.Object({ plans: Type.Array(Plan) }, closed) } },
} as const satisfies RouteContract;

export const putCustomer = {
  ...management,
  operationId: 'putCustomer',
  method: 'PUT',
  path: '/v1/customers/{customer}',
  summary: 'Add a customer, or give it another name or plan',
  params: Type.Object({ customer: customerId }),
  body: {
    ...json,
    schema: Type.Object({ name: Type.String({ minLength: 1, maxLength: 200 }), planID: planId }, closed),
  },
  responses: {
    200: { description: 'As it is now.', schema: Customer },
    409: { description: 'There is no such plan.' },
  },
} as const satisfies RouteContract;

export const listCustomers = {
  ...management,
  operationId: 'listCustomers',
  method: 'GET',
  path: '/v1/customers',
  summary: 'Customers with API keys',
  query: Type.Object({
    after: Type.Optional(customerId),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, default: 100 })),
  }),
  responses: {
    200: { description: 'By id.', schema: Type.Object({ customers: Type.Array(Customer) }, closed) },
  },
} as const satisfies RouteContract;

const ofCustomer = Type.Object({ customer: customerId });

export const postKey = {
  ...management,
  operationId: 'postKey',
  method: 'POST',
  path: '/v1/customers/{customer}/keys',
  summary: 'Make an API key',
  description: 'At most 100 keys of a customer that are not revoked.',
  params: ofCustomer,
  body: { ...json, schema: NewKey },
  responses: {
    201: {
      description: 'Made.',
      schema: Type.Object(
        { key: Key, secret: Type.String({ description: 'The whole key. It is in no other answer.' }) },
        closed,
      ),
    },
    404: noCustomer,
    409: { description: 'The customer has 100 keys.' },
  },
} as const satisfies RouteContract;

export const listKeys = {
  ...management,
  operationId: 'listKeys',
  method: 'GET',
  path: '/v1/customers/{customer}/keys',
  summary: 'API keys of a customer, without their secrets',
  params: ofCustomer,
  responses: {
    200: { description: 'All, the newest first.', schema: Type.Object({ keys: Type.Array(Key) }, closed) },
    404: noCustomer,
  },
} as const satisfies RouteContract;

export const deleteKey = {
  ...management,
  operationId: 'deleteKey',
  method: 'DELETE',
  path: '/v1/customers/{customer}/keys/{key}',
  summary: 'Revoke an API key',
  description: 'It is refused everywhere within ten seconds. A revoked key stays in the list.',
  params: Type.Object({ customer: customerId, key: keyId }),
  responses: {
    204: { description: 'It is revoked.' },
    404: { description: 'The customer has no such key.' },
  },
} as const satisfies RouteContract;

export const getCustomerUsage = {
  ...management,
  operationId: 'getCustomerUsage',
  method: 'GET',
  path: '/v1/customers/{customer}/usage',
  summary: 'Requests of a customer',
  description: counted,
  params: ofCustomer,
  query: Type.Object(range),
  responses: { 200: { description: 'By day and family.', schema: Usage }, 404: noCustomer },
} as const satisfies RouteContract;

export const UsageOverview = Type.Object(
  {
    from: day('First day.'),
    to: day('Today.'),
    total: Type.Integer({ description: 'Customers, of which those with the most requests are listed.' }),
    customers: Type.Array(
      Type.Object(
        {
          customerID: customerId,
          name: Type.String(),
          planID: planId,
          activeKeys: Type.Integer({ minimum: 0, description: 'Neither revoked nor expired.' }),
          lastUsedAt: Type.Optional(time('Of any of its keys, to a second; absent: never.')),
          thisMonth: ThisMonth,
          days: Type.Array(Type.Object({ day: day('UTC.'), requests: Type.Integer({ minimum: 0 }) }, closed)),
        },
        closed,
      ),
    ),
  },
  closed,
);
export type UsageOverview = Static<typeof UsageOverview>;

export const getUsageOverview = {
  ...management,
  operationId: 'getUsageOverview',
  method: 'GET',
  path: '/v1/customer-usage',
  summary: 'Requests of the busiest customers, by day and this month',
  description: counted,
  query: Type.Object({
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
    days: Type.Optional(Type.Integer({ minimum: 1, maximum: 31, default: 7 })),
  }),
  responses: {
    200: {
      description: 'Most requests this month first; days without requests are left out.',
      schema: UsageOverview,
    },
  },
} as const satisfies RouteContract;

export const getCustomersExport = {
  ...management,
  operationId: 'getCustomersExport',
  method: 'GET',
  path: '/v1/customer-usage-export',
  summary: 'Requests of all customers, as CSV',
  description: counted,
  query: Type.Object(range),
  responses: csv,
} as const satisfies RouteContract;

export const apiKeyContracts: readonly RouteContract[] = [
  getUsage,
  getUsageExport,
  putPlan,
  listPlans,
  putCustomer,
  listCustomers,
  postKey,
  listKeys,
  deleteKey,
  getCustomerUsage,
  getUsageOverview,
  getCustomersExport,
];
