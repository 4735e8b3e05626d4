import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { paymentHttp } from '#payment/http/payment-http.js';
import { pinnedHttps } from '#payment/psp/pinned-https.js';
import { proves } from '#tools/acceptance/proves.js';
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
    shown:
      'every operation on each listener without a token and with another scope; no calls between programs',
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

/** Everything that opens a connection to another program by itself, and how both sides know each other. */
const connecting: Readonly<Record<string, string>> = {
  'payment/psp/pinned-https.ts': 'providers: HTTPS only, pinned keys, our API key',
  'platform/webhooks/post-webhook.ts': 'merchants and channels: HTTPS outside of development, signed',
  'platform/object-store/s3-request.ts': 'the object store: signed requests, S3_CA',
  'platform/wire/confluent-schema-registry.ts': 'the registry: HTTPS with its CA, user and password',
  'platform/mail/nodemailer-mailer.ts': 'the mail server: smtps or STARTTLS, user and password',
};

describe('calls between programs', () => {
  proves('P-111', {
    asked: 'all calls over TLS; plain HTTP to the provider cannot be configured; TLS 1.2 or newer',
    shown: 'five modules open a connection, none to another program of ours; what each demands is listed',
    control: { test: 'control: a call by fetch, http, tls, net or a mailer is found, a mention is not' },
  });
  it('P-111, P-115: services exchange events and rows; no module calls another over HTTP', async () => {
    const found: string[] = [];
    for (const folder of ['api', 'hotel', 'ingest', 'payment', 'platform', 'processors'])
      for (const entry of await readdir(join(root, folder), { recursive: true, withFileTypes: true })) {
        if (!entry.isFile() || !entry.name.endsWith('.ts')) continue;
        const path = join(entry.parentPath, entry.name);
        if (opensConnections(await readFile(path, 'utf8'))) found.push(path.slice(root.length));
      }
    expect(found.toSorted()).toEqual(Object.keys(connecting).toSorted());
  });

  it('control: a call by fetch, http, tls, net or a mailer is found, a mention is not', () => {
    for (const call of [
      "const answer = await fetch('http://payment:8080/');",
      "import { request as ask } from 'node:http';",
      "import { createServer, createConnection } from 'node:net';",
      "import nodemailer from 'nodemailer';\nnodemailer.createTransport({ host });",
    ])
      expect(opensConnections(call)).toBe(true);
    expect(
      opensConnections("// fetch(1)\nimport type { Server } from 'node:http';\nthis.#fetch(topic);"),
    ).toBe(false);
  });
});

function opensConnections(source: string): boolean {
  const code = source.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$|`[^`]*`/gm, '');
  if (/(?<![.#\w]|function )fetch\(/.test(code)) return true;
  if (/createTransport\((?!\{ streamTransport)/.test(code)) return true;
  return /import \{[^}]*\b(request|connect|createConnection)\b[^}]*\} from 'node:(https?|tls|net|http2)'/.test(
    code,
  );
}
