import { createHash } from 'node:crypto';
import { createServer as createControlServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { seededRandom } from '#platform/random/random.js';
import { type ApiCall, apiCall } from './api.js';
import { cardPageReply } from './card-page.js';
import { type Certificate, makeCertificate } from './certificate.js';
import { controlReply } from './control.js';
import { type Reply, readCall, send } from './exchange.js';
import { type CallFault, Faults, type Refusal } from './faults.js';
import { pageReply } from './page.js';
import { PspStore } from './psp-store.js';
import { TruthRecord } from './record.js';
import { settlementFile } from './settlement.js';
import { stripeCall } from './stripe/stripe-api.js';
import type { Doctored } from './stripe/stripe-doctored.js';
import { stripeError } from './stripe/stripe-request.js';
import { standardWebhooks, stripeWebhooks } from './webhook-protocols.js';
import { WebhookSender } from './webhook-sender.js';

export interface SimulatorOptions {
  readonly seed: number;
  /** The record's file; in memory when absent. */
  readonly recordFile?: string;
  /** Created if absent; passed in so that a restart keeps the certificate that clients have pinned. */
  readonly certificate?: Certificate;
  readonly port?: number;
  readonly controlPort?: number;
  readonly apiKey: string;
  readonly webhookUrl?: string;
  readonly webhookSecrets: readonly string[];
}

export interface RunningSimulator {
  readonly url: string;
  readonly controlUrl: string;
  readonly certificate: string;
  readonly pin: string;
  readonly book: PspStore;
  close(): Promise<void>;
}

/**
 * A payment service provider of its own: API and hosted page over HTTPS, a control port over HTTP, both on
 * loopback alone.
 */
export async function startPspSimulator(options: SimulatorOptions): Promise<RunningSimulator> {
  let clockOffsetMs = 0;
  const nowMs = (): number => Date.now() + clockOffsetMs;
  let webhookUrl = options.webhookUrl;
  let webhookSecrets = options.webhookSecrets;
  let certificate = options.certificate ?? makeCertificate('PSP simulator', Date.now());
  const record = new TruthRecord(options.recordFile);
  const faults = new Faults(seededRandom(options.seed).next);
  // Another provider of the same seed has other names: both may serve one database, one after the other.
  const { pin: identity } = certificate;
  const id = (prefix: string): string =>
    `${prefix}_${createHash('sha256').update(`${identity}:${record.lines.length}:${prefix}`).digest('hex').slice(0, 32)}`;
  const book = new PspStore(record, nowMs, id);
  let url = '';
  let stripeUrl: string | undefined;
  const secrets = () => webhookSecrets;
  const senders = [
    new WebhookSender({
      url: () => webhookUrl,
      protocol: standardWebhooks(secrets, (nonce) => book.payments.get(nonce)),
      faults,
      nowMs,
    }),
    new WebhookSender({ url: () => stripeUrl, protocol: stripeWebhooks(secrets, () => url), faults, nowMs }),
  ];
  book.onChange = (fact) => {
    for (const sender of senders) sender.notify(fact);
  };
  let calls = 0;
  let doctored: readonly Doctored[] = [];

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const call = await readCall(request);
    if (call === undefined) return send(response, { status: 400, body: { code: 'invalid_body' } });
    const page = pageReply(call, book) ?? cardPageReply(call, book);
    if (page !== undefined) return send(response, page);
    // Browsers ask for it beside the page of a payment, and have no key.
    if (call.path === '/favicon.ico') return send(response, { status: 204, body: '' });
    const words = call.headers['stripe-version'] === undefined ? ownWords : stripeWords;
    if (call.headers.authorization !== `Bearer ${options.apiKey}`) return send(response, words.noKey);
    if (call.method === 'GET' && call.path.startsWith('/v1/settlements/'))
      return send(response, settlement(call.path.slice('/v1/settlements/'.length)));
    calls += 1;
    const deps = { book, baseUrl: () => url, nowMs, lines: () => record.lines, doctored: () => doctored };
    const api = words === ownWords ? apiCall(call, deps) : stripeCall(call, deps);
    if (api === undefined) return send(response, words.noOperation);
    await suffer(response, faults.ofCall(api.operation), api, words);
  }

  async function suffer(
    response: ServerResponse,
    fault: CallFault | Refusal | undefined,
    { run, failed }: ApiCall,
    words: Words,
  ): Promise<void> {
    const waits = { 'retry-after': String(faults.plan.retryAfterS) };
    if (typeof fault === 'object') {
      const { status, code } = fault;
      const headers = status === 429 || status === 503 ? { headers: waits } : {};
      return send(response, { status, body: { code }, ...headers });
    }
    switch (fault) {
      case 'drop-before':
        response.destroy();
        return;
      case 'drop-after':
        run();
        response.destroy();
        return;
      case 'delay-after': {
        const reply = run();
        await delay(faults.plan.delayMs);
        return send(response, reply);
      }
      case 'error-before':
        return send(response, words.internal);
      case 'error-after': {
        const { status } = run();
        if (status < 300) failed?.(words.internal);
        return send(response, words.internal);
      }
      case 'garbage-after':
        run();
        return send(response, { status: 200, body: { status: 'captured' } });
      case 'busy':
        return send(response, { ...words.busy, headers: waits });
      case undefined:
        return send(response, withRetryAfter(run()));
    }
  }

  /** An unavailable bank states when to try again, as every 503 of ours does. */
  const withRetryAfter = (reply: Reply): Reply =>
    reply.status === 503 ? { ...reply, headers: { 'retry-after': String(faults.plan.retryAfterS) } } : reply;

  function settlement(day: string): Reply {
    if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return { status: 400, body: { code: 'invalid_day' } };
    return {
      status: 200,
      body: settlementFile(record.lines, { day }),
      headers: { 'content-type': 'text/plain; charset=utf-8' },
    };
  }

  const api = createServer({ key: certificate.key, cert: certificate.certificate }, (request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  const control = createControlServer((request, response) => {
    readCall(request)
      .then((call) => {
        if (call === undefined) return send(response, { status: 400, body: { code: 'invalid_body' } });
        return send(
          response,
          controlReply(call, {
            book,
            record,
            faults,
            senders,
            nowMs,
            calls: () => calls,
            advanceClock: (ms) => {
              clockOffsetMs += ms;
              for (const { nonce } of [...book.payments.values()]) book.payment(nonce);
              for (const { nonce } of [...book.cardPages.values()]) book.cardPage(nonce);
            },
            setWebhooks: (wanted) => {
              webhookUrl = wanted.url ?? webhookUrl;
              stripeUrl = wanted.stripeUrl ?? stripeUrl;
              webhookSecrets = wanted.secrets ?? webhookSecrets;
            },
            swapCertificate: () => {
              certificate = makeCertificate('PSP simulator', Date.now());
              api.setSecureContext({ key: certificate.key, cert: certificate.certificate });
              api.closeAllConnections();
              return { certificate: certificate.certificate, pin: certificate.pin };
            },
            doctor: (wanted) => {
              doctored = wanted;
            },
            settlement: (day, mismatches) => settlementFile(record.lines, { day, mismatches }),
          }),
        );
      })
      .catch(() => response.destroy());
  });
  const port = await listen(api, options.port ?? 0);
  const controlPort = await listen(control, options.controlPort ?? 0);
  url = `https://localhost:${port}`;
  return {
    url,
    controlUrl: `http://127.0.0.1:${controlPort}`,
    certificate: certificate.certificate,
    pin: certificate.pin,
    book,
    async close() {
      for (const sender of senders) await sender.close();
      for (const server of [api, control]) {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
    },
  };
}

/** What both protocols can say, each in its own words. */
interface Words {
  readonly noKey: Reply;
  readonly noOperation: Reply;
  readonly internal: Reply;
  readonly busy: Reply;
}

const ownWords: Words = {
  noKey: { status: 401, body: { code: 'invalid_api_key' } },
  noOperation: { status: 404, body: { code: 'no_such_operation' } },
  internal: { status: 500, body: { code: 'internal' } },
  busy: { status: 429, body: { code: 'rate_limited' } },
};

const stripeWords: Words = {
  noKey: stripeError(401, { type: 'invalid_request_error' }),
  noOperation: stripeError(404, { type: 'invalid_request_error' }),
  internal: stripeError(500, { type: 'api_error' }),
  busy: stripeError(429, { type: 'invalid_request_error', code: 'rate_limit' }),
};

function listen(
  server: ReturnType<typeof createServer> | ReturnType<typeof createControlServer>,
  port: number,
) {
  return new Promise<number>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}
