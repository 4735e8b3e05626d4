import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refusePlainAddress, webhookTargets } from '#cli/plain-connections.js';
import { paymentHttp } from '#payment/http/payment-http.js';
import { pinnedHttps } from '#payment/psp/pinned-https.js';
import { type AddressSetting, addressSettings } from '#platform/config/server-addresses.js';
import { postWebhook } from '#platform/webhooks/post-webhook.js';
import { proves } from '#tools/acceptance/proves.js';
import { addresses, host, judged, production } from '../cli/addresses.js';
import { apiKey, OrdersRoom } from './orders-fixture.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

let room: OrdersRoom;
beforeAll(async () => {
  room = await OrdersRoom.open();
});
afterAll(() => room?.close());

/** Signed by the provider, or opened by the browser that the provider sends back; both name a secret. */
const withoutToken = ['postPspWebhook', 'postProviderWebhook', 'getPaymentReturn'];

interface Operation {
  readonly operationId: string;
  readonly method: string;
  readonly url: string;
  /** Of its body, if it has one. */
  readonly contentType: string | undefined;
}
const operations = (): Operation[] =>
  paymentHttp(room.service).flatMap(({ contract }) => {
    const path = contract.path.replaceAll(/\{[^}]+\}/g, 'x');
    const bases = {
      public: [room.url],
      internal: [room.internalUrl],
      both: [room.url, room.internalUrl],
    }[contract.listener];
    const { operationId, method, body } = contract;
    return bases.map((base) => ({
      operationId,
      method,
      url: base + path,
      contentType: body?.contentTypes[0],
    }));
  });
const answer = async ({ method, url, contentType }: Operation, token?: string): Promise<number> => {
  const headers = {
    ...(contentType === undefined ? {} : { 'content-type': contentType }),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  return (await fetch(url, { method, headers, ...(contentType === undefined ? {} : { body: '{}' }) })).status;
};

describe('who may call', () => {
  proves('P-115', {
    asked: '401 and 403 on both routes; between services too',
    shown: 'every operation on each listener without a token and with another scope; no program calls ours',
    control: {
      in: 'schemas/http/payments.ts',
      change: "summary: 'Status of one refund',\n  scopes: ['customer',",
      to: "summary: 'Status of one refund',\n  scopes: ['driver', 'customer',",
    },
  });
  it('P-115: every operation asks for a token, and for the right scope', async () => {
    const all = operations().filter(({ operationId }) => !withoutToken.includes(operationId));
    expect(all.length).toBeGreaterThan(40);
    const open: string[] = [];
    for (const operation of all) {
      const statuses = [
        await answer(operation),
        await answer(operation, 'nonsense'),
        await answer(operation, 'driver.ada'),
      ];
      if (statuses.join() !== '401,401,403') open.push(`${operation.operationId} ${statuses.join(' ')}`);
    }
    expect(open).toEqual([]);
  });

  it('P-115: what needs no token is refused without a signature or a token of the page', async () => {
    const open = operations().filter(({ operationId }) => withoutToken.includes(operationId));
    expect(new Set(open.map(({ operationId }) => operationId)).size).toBe(withoutToken.length);
    for (const operation of open) expect([400, 401, 404]).toContain(await answer(operation));
  });

  it('P-115: the provider refuses us without our key', async () => {
    const { url, pin, certificate } = room.psp.addresses;
    const status = async (key: string) => {
      const https = pinnedHttps({ baseUrl: url, apiKey: key, pins: [pin], authorities: certificate });
      const reply = await https.call('GET', '/v1/payments/none');
      https.close();
      return reply.kind === 'reply' ? reply.status : reply.kind;
    };
    expect(await status('another')).toBe(401);
    expect(await status(apiKey)).toBe(404);
  });
});

/** What runs in production: everything but simulators and what is made for pages. */
const products = [
  ...['api', 'cli', 'geocoding', 'hotel', 'ingest', 'map-data', 'map-tiles', 'osm', 'payment', 'platform'],
  ...['processors', 'routing-engine', 'schemas', 'tile-builder', 'traffic-exchange'],
];

/** Addresses that we give to browsers. */
const forBrowsers: readonly AddressSetting[] = ['PUBLIC_URL', 'PAYMENT_RETURN_URL'];

/** What the adapters of other servers import; each opens connections. */
const drivers = [
  '@kafkajs/confluent-schema-registry',
  '@opentelemetry/exporter-trace-otlp-proto',
  '@platformatic/kafka',
  'cassandra-driver',
  'ioredis',
  'kafkajs',
  'nodemailer',
  'pg',
  'undici',
];

/** Modules that open connections themselves, folders with a driver; and the settings with their servers. */
const callers: Readonly<Record<string, readonly AddressSetting[]>> = {
  'cli/doctor/certificates.ts': addressSettings.filter((name) => !forBrowsers.includes(name)),
  'cli/doctor/discovery.ts': ['OIDC_ISSUER'],
  'cli/doctor/endpoints.ts': ['JWKS_URL'],
  'payment/psp/pinned-https.ts': ['PSP_BASE_URL', 'STRIPE_BASE_URL', 'STRIPE_FILES_URL', 'RISK_BASE_URL'],
  'platform/auth/key-source.ts': ['JWKS_URL'],
  'platform/event-log, @platformatic/kafka': ['EVENT_LOG'],
  'platform/event-log, kafkajs': ['EVENT_LOG'],
  'platform/live-cache, ioredis': ['CACHE'],
  'platform/location-store, cassandra-driver': ['LOCATIONS'],
  'platform/mail, nodemailer': ['MAIL'],
  'platform/object-store/s3-request.ts': ['OBJECTS', 'MAIL'],
  'platform/sql, pg': ['SQL', 'HOTEL_SHARDS'],
  'platform/telemetry, @opentelemetry/exporter-trace-otlp-proto': [
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
  ],
  'platform/wire, @kafkajs/confluent-schema-registry': ['SCHEMA_REGISTRY_URL'],
  'platform/wire/confluent-schema-registry.ts': ['SCHEMA_REGISTRY_URL'],
};

/** Those that call an address which is in no setting, with what refuses a plain one in production. */
const others: Readonly<Record<string, (url: string) => unknown>> = {
  'cli/operator-client.ts': (url) => refusePlainAddress('--url', url, production),
  'platform/http-client/fetch-text.ts': (url) => refusePlainAddress('the feed', url, production),
  'platform/webhooks/post-webhook.ts': async (url) => {
    const rule = webhookTargets(production);
    const { signal } = new AbortController();
    throw new Error(
      (await postWebhook({ url, headers: {}, body: '', rule, signal, timeoutMs: 1_000 })).failure,
    );
  },
};

/** Programs of this machine: its listeners, and the simulated city of a development issuer. */
const local = ['cli/doctor/readiness.ts', 'cli/programs/city-score.ts'];

describe('calls between programs', () => {
  proves('P-111', {
    asked: 'all calls over TLS; plain HTTP to the provider cannot be configured; TLS 1.2 or newer',
    shown:
      'modules with fetch, node:http, tls or net, and folders with nine drivers are listed; none calls ours',
    control: { test: 'control: a call by fetch, http, tls, net or a driver is found, a mention is not' },
  });
  it('P-111, P-115: services exchange events and rows; what leaves the machine needs TLS', async () => {
    const found = new Set<string>();
    for (const folder of products)
      for (const entry of await readdir(join(root, folder), { recursive: true, withFileTypes: true })) {
        if (!entry.isFile() || !entry.name.endsWith('.ts')) continue;
        const path = join(entry.parentPath, entry.name).slice(root.length);
        const code = codeOf(await readFile(join(root, path), 'utf8'));
        if (opensConnections(code)) found.add(path);
        for (const driver of driversIn(code)) found.add(`${dirname(path)}, ${driver}`);
      }
    expect([...found].toSorted()).toEqual(
      [...Object.keys(callers), ...Object.keys(others), ...local].toSorted(),
    );
  });

  proves('P-111', {
    asked: 'all calls over TLS; plain HTTP to the provider cannot be configured; TLS 1.2 or newer',
    shown: 'every address that one of these modules calls is refused in production if it has no TLS',
    settings: ['NODE_ENV=production'],
    control: {
      in: 'platform/config/server-addresses.ts',
      change: "parameters.get('requireTLS') === 'true'",
      to: "parameters.get('requireTLS') !== 'false'",
    },
  });
  it('P-111: in production each of these addresses is refused without TLS', async () => {
    const called = new Set(Object.values(callers).flat());
    expect([...called, ...forBrowsers].toSorted()).toEqual(addressSettings.toSorted());
    for (const name of called) {
      const [plain] = addresses[name];
      const refusal = () => {
        throw new Error(judged({ [name]: plain }).fault);
      };
      expect(refusal, name).toThrow(name);
    }
    for (const [name, refuse] of Object.entries(others))
      await expect(async () => refuse(`http://${host}/`), name).rejects.toThrow(/TLS|https:\/\//);
  });

  it('control: a call by fetch, http, tls, net or a driver is found, a mention is not', () => {
    for (const call of [
      "const answer = await fetch('http://payment:8080/');",
      'const { fetch: ask = fetch } = options;',
      'keysOf(url, options.fetch ?? fetch);',
      "import { request as ask } from 'node:http';",
      "import { createServer, createConnection } from 'node:net';",
    ])
      expect(opensConnections(codeOf(call)), call).toBe(true);
    for (const mention of [
      "// fetch(1)\nimport type { Server } from 'node:http';\nthis.#fetch(topic);",
      'readonly fetch?: typeof fetch;',
    ])
      expect(opensConnections(codeOf(mention)), mention).toBe(false);
    for (const use of [
      "import pg from 'pg';",
      "import { type Row, Pool } from 'pg';",
      "const [pg] = await Promise.all([import('pg')]);",
    ])
      expect(driversIn(codeOf(use)), use).toEqual(['pg']);
    expect(driversIn("import type pg from 'pg';\nimport { type Pool } from 'pg';")).toEqual([]);
  });
});

const codeOf = (source: string): string => source.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$|`[^`]*`/gm, '');

function opensConnections(code: string): boolean {
  if (/(?<![.#\w]|function |typeof )fetch(?=\(|\)| \})/.test(code)) return true;
  return /import \{[^}]*\b(request|get|connect|createConnection|Agent)\b[^}]*\} from 'node:(https?|tls|net|http2)'/.test(
    code,
  );
}

const driversIn = (code: string): string[] =>
  drivers.filter((driver) => {
    if (code.includes(`import('${driver}')`)) return true;
    const imports = [...code.matchAll(/^import (?!type )([^;]*?) from '([^']+)';$/gm)];
    return imports.some(([, names, from]) => from === driver && hasValue(names!));
  });

/** Whether one of the imported names is more than a type. */
const hasValue = (names: string): boolean =>
  names
    .replaceAll(/[{}]/g, ',')
    .split(',')
    .map((name) => name.trim())
    .some((name) => name !== '' && !name.startsWith('type '));
