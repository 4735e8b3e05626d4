import { createHash, X509Certificate } from 'node:crypto';
import { Agent, request } from 'node:https';
import { checkServerIdentity, type PeerCertificate, type TLSSocket } from 'node:tls';
import { providerDefaults } from '../settings/delivery-settings.js';
import { pspLimits } from './limits.js';

export interface PinnedHttpsOptions {
  /** `https://psp.example`; anything but https is refused. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /**
   * Base64 SHA-256 of the public keys that are trusted; two while they rotate. `unpinned`: any key that an
   * authority has signed, for a provider that changes its keys without notice.
   */
  readonly pins: readonly string[] | 'unpinned';
  /** PEM of the authorities that may sign the certificate; the system's when absent. */
  readonly authorities?: string;
  readonly answerBytesMax?: number;
  /** For the whole round trip. */
  readonly timeoutMs?: number;
  readonly connectionsMax?: number;
}

export type HttpsReply =
  | {
      readonly kind: 'reply';
      readonly status: number;
      readonly body: unknown;
      readonly retryAfterMs: number | undefined;
    }
  /** Nothing reached the other side. */
  | { readonly kind: 'not-sent'; readonly reason: string }
  /** Sent, but the outcome is unknown. */
  | { readonly kind: 'lost'; readonly reason: string }
  /** The certificate is not the one that we pinned; nothing was sent. */
  | { readonly kind: 'suspect'; readonly reason: string };

export interface PinnedHttps {
  /** `body`: an object is sent as JSON, a text as a form, bytes as the type that `headers` says. */
  call(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    body?: object | string | Uint8Array,
    headers?: Readonly<Record<string, string>>,
  ): Promise<HttpsReply>;
  close(): void;
}

class WrongCertificate extends Error {
  override readonly name = 'WrongCertificate';
}

/**
 * JSON over HTTPS to one host with a pinned public key. A certificate from a trusted authority is not enough:
 * it must also carry a key that we know. TLS sessions are not resumed, because a resumed session shows no
 * certificate.
 */
export function pinnedHttps(options: PinnedHttpsOptions): PinnedHttps {
  const base = new URL(options.baseUrl);
  if (base.protocol !== 'https:')
    throw new Error(
      'The payment service provider is only spoken to over https://; give PSP_BASE_URL as such.',
    );
  if (options.pins.length === 0)
    throw new Error('No public key of the payment service provider is pinned; give PSP_PINS.');
  const agent = new Agent({
    keepAlive: true,
    maxSockets: options.connectionsMax ?? providerDefaults.connectionsMax,
    maxCachedSessions: 0,
    minVersion: 'TLSv1.2',
    ...(options.authorities === undefined ? {} : { ca: options.authorities }),
    checkServerIdentity: (host: string, certificate: PeerCertificate) =>
      checkServerIdentity(host, certificate) ?? wrongPin(certificate, options.pins),
  });
  const timeoutMs = options.timeoutMs ?? providerDefaults.timeoutMs;
  const answerBytesMax = options.answerBytesMax ?? pspLimits.answerBytesMax;
  return {
    call: (method, path, body, headers = {}) =>
      exchange(
        { agent, url: new URL(path, base), method, timeoutMs, answerBytesMax },
        { authorization: `Bearer ${options.apiKey}`, ...headers },
        body,
      ),
    close: () => agent.destroy(),
  };
}

function wrongPin(certificate: PeerCertificate, pins: PinnedHttpsOptions['pins']): Error | undefined {
  if (pins === 'unpinned') return undefined;
  const key = new X509Certificate(certificate.raw).publicKey.export({ type: 'spki', format: 'der' });
  const pin = createHash('sha256').update(key).digest('base64');
  return pins.includes(pin)
    ? undefined
    : new WrongCertificate(`the public key ${pin} of the provider is not pinned`);
}

interface Target {
  readonly agent: Agent;
  readonly url: URL;
  readonly method: string;
  readonly timeoutMs: number;
  readonly answerBytesMax: number;
}

function exchange(
  { agent, url, method, timeoutMs, answerBytesMax }: Target,
  headers: Readonly<Record<string, string>>,
  body: object | string | Uint8Array | undefined,
): Promise<HttpsReply> {
  return new Promise((resolve) => {
    let sent = false;
    const isRaw = typeof body === 'string' || body instanceof Uint8Array;
    const payload = isRaw || body === undefined ? body : JSON.stringify(body);
    const type = typeof body === 'string' ? 'application/x-www-form-urlencoded' : 'application/json';
    const outgoing = request(url, {
      agent,
      method,
      headers: {
        ...headers,
        accept: 'application/json',
        ...(payload === undefined
          ? {}
          : {
              'content-type': headers['content-type'] ?? type,
              'content-length': Buffer.byteLength(payload),
            }),
      },
    });
    const timer = setTimeout(() => outgoing.destroy(new Error(`no answer in ${timeoutMs} ms`)), timeoutMs);
    const settle = (reply: HttpsReply): void => {
      clearTimeout(timer);
      resolve(reply);
    };
    outgoing.on('socket', (socket) => {
      // A kept-alive connection may carry the request before we learn that the peer has closed it. A
      // connection that comes straight from the previous request is not called reused, but its certificate
      // has been checked.
      if (outgoing.reusedSocket || (socket as TLSSocket).authorized) sent = true;
      else socket.once('secureConnect', () => (sent = true));
    });
    outgoing.on('error', (error: NodeJS.ErrnoException) => settle(failed(error, sent)));
    outgoing.on('response', (incoming) => {
      const chunks: Buffer[] = [];
      let length = 0;
      incoming.on('data', (chunk: Buffer) => {
        length += chunk.length;
        chunks.push(chunk);
        if (length > answerBytesMax) outgoing.destroy(new Error('the answer is too long'));
      });
      incoming.on('error', (error) => settle({ kind: 'lost', reason: error.message }));
      incoming.on('end', () =>
        settle({
          kind: 'reply',
          status: incoming.statusCode ?? 0,
          body: parsed(Buffer.concat(chunks).toString()),
          retryAfterMs: retryAfter(incoming.headers['retry-after']),
        }),
      );
    });
    outgoing.end(payload);
  });
}

function failed(error: NodeJS.ErrnoException, sent: boolean): HttpsReply {
  const reason = error.message;
  const distrusted =
    error.name === 'WrongCertificate' || /CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME/.test(error.code ?? '');
  if (distrusted) return { kind: 'suspect', reason };
  return sent ? { kind: 'lost', reason } : { kind: 'not-sent', reason };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whole seconds; a date would rest on the clock of the other side. */
function retryAfter(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,6}$/.test(header) ? Number(header) * 1_000 : undefined;
}
