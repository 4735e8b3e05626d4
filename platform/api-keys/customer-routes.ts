import * as contracts from '#schemas/http/api-keys.js';
import { type HttpAnswer, type Route, route } from '../http/http-types.js';
import { problem, problems } from '../http/problem.js';
import { isTemporary, type Sql } from '../sql/sql.js';
import * as store from './customer-store.js';
import { apiKeyLimits } from './limits.js';
import * as messages from './messages.js';
import { usageOverview } from './usage-overview.js';
import { usageAnswer, usageCsv } from './usage-reports.js';

const pageDefault = 100;
const overviewDefault = 50;
const daysDefault = 7;
/** A key is in no cache. */
const unstored = { 'cache-control': 'no-store' };

/** Operators add customers, plans and keys; customers read their own usage. */
export function customerRoutes(sql: Sql, nowMs: () => number): readonly Route[] {
  const ofCustomer = (
    customerId: string,
    work: (customer: store.CustomerRow & store.PlanTerms) => HttpAnswer | Promise<HttpAnswer>,
  ) =>
    handle(async () => {
      const customer = await store.findCustomer(sql, customerId);
      return customer === undefined ? problem(problems.notFound, messages.noCustomer) : work(customer);
    });
  return [
    route(contracts.getUsage, ({ identity, query }) =>
      ofCustomer(customerIdOf(identity.userId), (customer) => usageAnswer(sql, customer, query, nowMs())),
    ),
    route(contracts.getUsageExport, ({ identity, query }) =>
      handle(() => usageCsv(sql, query, nowMs(), customerIdOf(identity.userId))),
    ),
    route(contracts.putPlan, ({ params, body }) =>
      handle(async () => {
        await store.putPlan(sql, { planId: params.plan, ...body });
        return { status: 200, body: { planID: params.plan, ...body } };
      }),
    ),
    route(contracts.listPlans, () =>
      handle(async () => {
        const plans = await store.listPlans(sql);
        return {
          status: 200,
          body: { plans: plans.map(({ planId, ...terms }) => ({ planID: planId, ...terms })) },
        };
      }),
    ),
    route(contracts.putCustomer, ({ params, body: { name, planID } }) =>
      handle(async () => {
        const wanted = { customerId: params.customer, name, planId: planID };
        const customer = await store.putCustomer(sql, wanted, new Date(nowMs()));
        if (customer === undefined) return refused(messages.noPlan);
        return { status: 200, body: customerView(customer) };
      }),
    ),
    route(contracts.listCustomers, ({ query: { after = '', limit = pageDefault } }) =>
      handle(async () => {
        const customers = await store.listCustomers(sql, after, limit);
        return { status: 200, body: { customers: customers.map(customerView) } };
      }),
    ),
    route(contracts.postKey, ({ params, body }) =>
      handle(() => postKey(sql, params.customer, body, nowMs())),
    ),
    route(contracts.listKeys, ({ params }) =>
      ofCustomer(params.customer, async () => {
        const keys = await store.listKeys(sql, params.customer);
        return { status: 200, body: { keys: keys.map(keyView) } };
      }),
    ),
    route(contracts.deleteKey, ({ params }) =>
      handle(async () => {
        const isKnown = await store.revokeKey(sql, params.customer, params.key, new Date(nowMs()));
        return isKnown ? { status: 204 } : problem(problems.notFound, messages.noKey);
      }),
    ),
    route(contracts.getCustomerUsage, ({ params, query }) =>
      ofCustomer(params.customer, (customer) => usageAnswer(sql, customer, query, nowMs())),
    ),
    route(contracts.getUsageOverview, ({ query: { limit = overviewDefault, days = daysDefault } }) =>
      handle(() => usageOverview(sql, { limit, days }, nowMs())),
    ),
    route(contracts.getCustomersExport, ({ query }) => handle(() => usageCsv(sql, query, nowMs()))),
  ];
}

async function postKey(
  sql: Sql,
  customerId: string,
  { families, label, expiresAt: text }: contracts.NewKey,
  nowMs: number,
): Promise<HttpAnswer> {
  const expiresAt = text === undefined ? undefined : new Date(text);
  if (expiresAt !== undefined && expiresAt.getTime() <= nowMs) {
    const errors = [{ pointer: '/expiresAt', message: messages.expiresInThePast }];
    return problem(problems.invalid, undefined, { errors });
  }
  const made = await store.makeKey(sql, customerId, { families, label, expiresAt }, new Date(nowMs));
  if (made === 'no customer') return problem(problems.notFound, messages.noCustomer);
  if (made === 'full') return refused(messages.tooManyKeys(apiKeyLimits.activeKeysPerCustomerMax));
  return { status: 201, body: { key: keyView(made.key), secret: made.secret }, headers: unstored };
}

const customerIdOf = (userId: string): string => userId.slice('customer:'.length);

function customerView({ customerId, name, planId, createdAt }: store.CustomerRow) {
  return { customerID: customerId, name, planID: planId, createdAt: createdAt.toISOString() };
}

function keyView({ keyId, prefix, families, createdAt, ...key }: store.ApiKey): contracts.KeyView {
  return {
    keyID: keyId,
    prefix,
    families: [...families],
    createdAt: createdAt.toISOString(),
    ...(key.label === null ? {} : { label: key.label }),
    ...(key.expiresAt === null ? {} : { expiresAt: key.expiresAt.toISOString() }),
    ...(key.revokedAt === null ? {} : { revokedAt: key.revokedAt.toISOString() }),
    ...(key.lastUsedAt === null ? {} : { lastUsedAt: key.lastUsedAt.toISOString() }),
  };
}

const conflict = {
  code: 'customer-conflict',
  status: 409,
  title: 'The customer or key cannot be like that',
  advice: 'The detail says what is missing or too much.',
} as const;
export const customerProblems = { conflict } as const;
const refused = (detail: string): HttpAnswer => problem(conflict, detail);

async function handle(work: () => Promise<HttpAnswer>): Promise<HttpAnswer> {
  try {
    return await work();
  } catch (error) {
    if (!isTemporary(error)) throw error;
    return problem(problems.unavailable, messages.databaseUnavailable, { retryAfterS: 1 });
  }
}
