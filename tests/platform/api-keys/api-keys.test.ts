import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { UsageOverview } from '#schemas/http/api-keys.js';
import { ask, type Metered, startMetered } from './metered.js';

const every = ['navigation', 'geocoding', 'map', 'traffic', 'locations'];
/** In the middle of a month. */
let now = Date.UTC(2026, 4, 20, 12);
let metered: Metered;
beforeAll(async () => {
  metered = await startMetered({ nowMs: () => now });
  await metered.manage('PUT', '/v1/plans/wide', { perSecond: 1_000, burst: 1_000, perMonth: {} });
});
afterAll(() => metered?.close());

let count = 0;
let customer: string;
beforeEach(async () => {
  customer = `customer-${++count}`;
  await metered.manage('PUT', `/v1/customers/${customer}`, { name: 'A', planID: 'wide' });
});

const onPlan = async (terms: object): Promise<void> => {
  await metered.manage('PUT', `/v1/plans/${customer}`, terms);
  await metered.manage('PUT', `/v1/customers/${customer}`, { name: 'A', planID: customer });
};
const usage = async (): Promise<unknown> => {
  await metered.metering.flush();
  const { days } = (await metered.manage('GET', `/v1/customers/${customer}/usage`)) as { days: object[] };
  return days;
};
const codeOf = async (answer: Response): Promise<unknown> => ((await answer.json()) as { code: string }).code;

describe('an API key', () => {
  it('is shown once and stored as a hash', async () => {
    const { secret, key } = await metered.makeKey(customer, every, { label: 'server' });
    expect(secret).toMatch(/^mk_[0-9a-f]{16}_[\w-]{43}$/);
    expect(secret.startsWith(key.prefix)).toBe(true);
    const listed = JSON.stringify(await metered.manage('GET', `/v1/customers/${customer}/keys`));
    expect(listed).toContain(key.prefix);
    const { rows } = await metered.database.sql.query('SELECT * FROM api_key');
    const stored = JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? String(value) : value));
    for (const text of [listed, stored]) expect(text).not.toContain(secret.slice(-43));
  });

  it('opens its families only, and nothing outside of them', async () => {
    const { secret } = await metered.makeKey(customer, ['map', 'locations']);
    expect((await ask(metered, '/tile', secret)).status).toBe(200);
    const forbidden = await ask(metered, '/search', secret);
    expect([forbidden.status, await codeOf(forbidden)]).toEqual([403, 'forbidden']);
    expect((await ask(metered, '/pay', secret)).status).toBe(401);
    expect((await ask(metered, '/version', secret)).status).toBe(204);
    const asCustomer = await ask(metered, '/customer', secret);
    expect(await asCustomer.text()).toBe(`customer:${customer}`);
    expect(await usage()).toEqual([
      { day: '2026-05-20', family: 'locations', requests: 1 },
      { day: '2026-05-20', family: 'map', requests: 1 },
    ]);
  });

  it('leaves the user to a token beside it, which must be valid', async () => {
    const { secret } = await metered.makeKey(customer, every);
    const withToken = await ask(metered, '/customer', secret, { authorization: 'Bearer anna.driver' });
    expect(await withToken.text()).toBe('anna');
    expect((await ask(metered, '/customer', secret, { authorization: 'Bearer anna' })).status).toBe(401);
    expect(await usage()).toEqual([{ day: '2026-05-20', family: 'locations', requests: 1 }]);
  });

  it('is refused once it is revoked, within ten seconds', async () => {
    const { secret, key } = await metered.makeKey(customer, every);
    expect((await ask(metered, '/tile', secret)).status).toBe(200);
    await metered.manage('DELETE', `/v1/customers/${customer}/keys/${key.keyID}`);
    now += 10_000;
    const refused = await ask(metered, '/tile', secret);
    expect([refused.status, await codeOf(refused)]).toEqual([401, 'unauthenticated']);
    expect(refused.headers.get('www-authenticate')).toContain('ApiKey');
  });

  it('is refused from the instant at which it expires', async () => {
    const { secret } = await metered.makeKey(customer, every, {
      expiresAt: new Date(now + 5_000).toISOString(),
    });
    expect((await ask(metered, '/tile', secret)).status).toBe(200);
    now += 5_000;
    expect((await ask(metered, '/tile', secret)).status).toBe(401);
  });

  it('with another secret, or without one, is refused', async () => {
    const { secret } = await metered.makeKey(customer, every);
    const other = secret.slice(0, -1) + (secret.endsWith('A') ? 'B' : 'A');
    for (const wrong of [other, secret.slice(0, -1), 'mk_', '', `${secret}x`])
      expect((await ask(metered, '/tile', wrong)).status).toBe(401);
    expect((await ask(metered, '/tile', secret)).status).toBe(200);
  });

  it('has the time of its last use', async () => {
    const { secret } = await metered.makeKey(customer, every);
    await ask(metered, '/tile', secret);
    await metered.metering.flush();
    const { keys } = (await metered.manage('GET', `/v1/customers/${customer}/keys`)) as {
      readonly keys: readonly { readonly lastUsedAt: string }[];
    };
    expect(keys.map(({ lastUsedAt }) => lastUsedAt)).toEqual([new Date(now).toISOString()]);
  });
});

describe('a plan', () => {
  it('allows a burst, then so many requests a second', async () => {
    await onPlan({ perSecond: 0.1, burst: 3, perMonth: {} });
    const { secret } = await metered.makeKey(customer, every);
    const answers = [];
    for (let index = 0; index < 4; index += 1) answers.push(await ask(metered, '/tile', secret));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    const last = answers.at(-1)!;
    expect(await codeOf(last)).toBe('too-many-requests');
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThanOrEqual(9);
    expect(last.headers.get('ratelimit-policy')).toBe('"customer";q=3;w=30');
    expect(last.headers.get('ratelimit')).toMatch(/^"customer";r=0;t=\d+$/);
    expect(await usage()).toEqual([{ day: '2026-05-20', family: 'map', requests: 3 }]);
  });

  it('refuses what is beyond the quota of a family until the month ends', async () => {
    await onPlan({ perSecond: 1_000, burst: 1_000, perMonth: { map: 2 } });
    const { secret } = await metered.makeKey(customer, every);
    const { secret: second } = await metered.makeKey(customer, every);
    const first = await ask(metered, '/tile', secret);
    expect(first.headers.get('ratelimit-policy')).toBe('"customer";q=1000;w=1, "map-month";q=2;w=2678400');
    expect(first.headers.get('ratelimit')).toMatch(/^"customer";r=\d+;t=\d+, "map-month";r=1;t=\d+$/);
    expect((await ask(metered, '/tile', second)).status).toBe(200);
    const refused = await ask(metered, '/tile', secret);
    expect([refused.status, await codeOf(refused)]).toEqual([429, 'quota-exceeded']);
    expect(refused.headers.get('content-type')).toBe('application/problem+json');
    const untilJuneS = Math.ceil((Date.UTC(2026, 5, 1) - now) / 1_000);
    expect(Number(refused.headers.get('retry-after'))).toBe(untilJuneS);
    expect(refused.headers.get('ratelimit')).toContain(`"map-month";r=0;t=${untilJuneS}`);
    expect((await ask(metered, '/search', secret)).status).toBe(404);
  });

  it('counts answers below 500 only', async () => {
    const { secret } = await metered.makeKey(customer, every);
    expect((await ask(metered, '/broken', secret)).status).toBe(500);
    expect((await ask(metered, '/search', secret)).status).toBe(404);
    expect(await usage()).toEqual([{ day: '2026-05-20', family: 'geocoding', requests: 1 }]);
  });
});

describe('usage', () => {
  it('is read by the customer itself, as JSON and CSV, and of nobody else', async () => {
    await onPlan({ perSecond: 1_000, burst: 1_000, perMonth: { map: 9, traffic: 5 } });
    const { secret } = await metered.makeKey(customer, ['map']);
    await ask(metered, '/tile', secret);
    await metered.metering.flush();
    const answer = await ask(metered, '/v1/usage?from=2026-05-01&to=2026-05-31', secret);
    expect(await answer.json()).toEqual({
      customerID: customer,
      planID: customer,
      from: '2026-05-01',
      to: '2026-05-31',
      thisMonth: [
        { family: 'map', requests: 1, quota: 9 },
        { family: 'traffic', requests: 0, quota: 5 },
      ],
      days: [{ day: '2026-05-20', family: 'map', requests: 1 }],
    });
    const exported = await ask(metered, '/v1/usage-export', secret);
    expect(exported.headers.get('content-type')).toContain('text/csv');
    expect(await exported.text()).toBe(`customer,day,family,requests\r\n${customer},2026-05-20,map,1\r\n`);
    expect((await ask(metered, '/v1/usage')).status).toBe(401);
    expect((await ask(metered, '/v1/usage', undefined, { authorization: 'Bearer a.driver' })).status).toBe(
      401,
    );
    const all = String(await metered.manage('GET', '/v1/customer-usage-export'));
    expect(all).toContain(`${customer},2026-05-20,map,1\r\n`);
    expect(all.split('\r\n').length).toBeGreaterThan(3);
    const wrong = await ask(metered, '/v1/usage?from=2026-05-31&to=2026-05-01', secret);
    expect(wrong.status).toBe(400);
  });

  it('begins a new journal with each day, and a new quota with each month', async () => {
    await onPlan({ perSecond: 1_000, burst: 1_000, perMonth: { map: 1 } });
    const { secret } = await metered.makeKey(customer, every);
    expect((await ask(metered, '/tile', secret)).status).toBe(200);
    const [before] = await readdir(metered.folder);
    // Time goes forward only, so this is the last test on this platform.
    now = Date.UTC(2026, 4, 31, 23, 59, 59);
    expect((await ask(metered, '/tile', secret)).status).toBe(429);
    now = Date.UTC(2026, 5, 1);
    expect((await ask(metered, '/tile', secret)).status).toBe(200);
    expect((await ask(metered, '/tile', secret)).status).toBe(429);
    await metered.metering.flush();
    expect(await metered.manage('GET', `/v1/customers/${customer}/usage?from=2026-05-01`)).toMatchObject({
      thisMonth: [{ family: 'map', requests: 1, quota: 1 }],
      days: [
        { day: '2026-05-20', family: 'map', requests: 1 },
        { day: '2026-06-01', family: 'map', requests: 1 },
      ],
    });
    const files = await readdir(metered.folder);
    expect(files).toHaveLength(1);
    expect(files).not.toContain(before);
    expect((await readFile(join(metered.folder, files[0]!), 'latin1')).slice(0, 8)).toBe('MERUSAGE');
  });
});

describe('the overview of usage', () => {
  const overview = async (query = '') =>
    (await metered.manage('GET', `/v1/customer-usage${query}`)) as UsageOverview;
  const mine = async (query = '?limit=100') =>
    (await overview(query)).customers.find(({ customerID }) => customerID === customer);

  it('has the requests of each customer by day and this month, with the quotas and keys', async () => {
    await onPlan({ perSecond: 1_000, burst: 1_000, perMonth: { map: 50, traffic: 9 } });
    const { secret } = await metered.makeKey(customer, every);
    const revoked = await metered.makeKey(customer, every);
    await metered.manage('DELETE', `/v1/customers/${customer}/keys/${revoked.key.keyID}`);
    const before = now;
    for (let i = 0; i < 3; i++) await ask(metered, '/tile', secret);
    await ask(metered, '/customer', secret);
    await metered.metering.flush();
    now += 86_400_000;
    await ask(metered, '/tile', secret);
    await metered.metering.flush();
    const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
    expect(await mine()).toEqual({
      ...{ customerID: customer, name: 'A', planID: customer, activeKeys: 1 },
      lastUsedAt: expect.any(String) as string,
      thisMonth: [
        { family: 'map', requests: 4, quota: 50 },
        { family: 'traffic', requests: 0, quota: 9 },
        { family: 'locations', requests: 1 },
      ],
      days: [
        { day: day(before), requests: 4 },
        { day: day(now), requests: 1 },
      ],
    });
    // Of one day there is only today.
    const today = await mine('?limit=100&days=1');
    expect(today?.days).toEqual([{ day: day(now), requests: 1 }]);
  });

  it('lists the busiest first, a bounded number, and says how many there are', async () => {
    const { secret } = await metered.makeKey(customer, every);
    for (let i = 0; i < 40; i++) await ask(metered, '/tile', secret);
    await metered.metering.flush();
    const { customers, total } = await overview('?limit=1');
    expect(customers).toHaveLength(1);
    expect(customers[0]?.customerID).toBe(customer);
    expect(total).toBeGreaterThan(1);
    await expect(overview('?limit=101')).rejects.toThrow(/^400 /);
    await expect(overview('?days=32')).rejects.toThrow(/^400 /);
  });
});

describe('API_KEYS=required', () => {
  let strict: Metered;
  beforeAll(async () => {
    strict = await startMetered({ isRequired: true });
  });
  afterAll(() => strict?.close());

  it('refuses operations of customers without a key or a token', async () => {
    expect((await ask(strict, '/tile')).status).toBe(401);
    expect((await ask(strict, '/version')).status).toBe(204);
    expect((await ask(strict, '/tile', undefined, { authorization: 'Bearer anna.driver' })).status).toBe(200);
    expect((await ask(metered, '/tile')).status).toBe(200);
  });

  it('is what the OpenAPI document says', async () => {
    const security = async (of: Metered, path: string) => {
      const { paths } = (await (await ask(of, '/v1/openapi.json')).json()) as {
        readonly paths: Record<string, { get: { security: object[]; responses: Record<string, object> } }>;
      };
      const { get } = paths[path]!;
      return { security: get.security, is401: '401' in get.responses };
    };
    expect(await security(strict, '/tile')).toEqual({
      security: [{ apiKey: [] }, { bearer: [] }],
      is401: true,
    });
    expect(await security(metered, '/tile')).toEqual({ security: [{}, { apiKey: [] }], is401: true });
    expect(await security(metered, '/version')).toEqual({ security: [{}], is401: false });
    expect(await security(metered, '/v1/usage')).toEqual({ security: [{ apiKey: [] }], is401: true });
    expect(await security(metered, '/pay')).toEqual({ security: [{ bearer: ['driver'] }], is401: true });
  });
});
