import { type IncomingMessage, get as overHttp } from 'node:http';
import { get as overHttps } from 'node:https';
import { text } from 'node:stream/consumers';
import type { TLSSocket } from 'node:tls';

const answerWithinMs = 3_000;

export interface ReadinessAnswer {
  readonly status: number;
  /** Undefined where it is no JSON. */
  readonly body: unknown;
  /** What the listener shows with TLS. */
  readonly certificate: Buffer | undefined;
}

/**
 * What a listener answers to `/readyz`; undefined without an answer. It is sent no secret and may have a
 * certificate that nobody here trusts, so the certificate is an answer too.
 */
export async function readiness(url: string): Promise<ReadinessAnswer | undefined> {
  const ask = url.startsWith('https:') ? overHttps : overHttp;
  const signal = AbortSignal.timeout(answerWithinMs);
  try {
    const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
      ask(`${url}/readyz`, { agent: false, signal, rejectUnauthorized: false }, resolve).on('error', reject);
    });
    const { socket, statusCode: status = 0 } = incoming;
    const certificate = (socket as Partial<TLSSocket>).getPeerCertificate?.().raw;
    return { status, body: parsed(await text(incoming)), certificate };
  } catch {
    return undefined;
  }
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
