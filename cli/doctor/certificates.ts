import { createHash, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createConnection, isIP, type Socket } from 'node:net';
import { connect, type PeerCertificate } from 'node:tls';
import { type Answer, failed, ok, warning } from './finding.js';

const dayMs = 86_400_000;
const warnDays = 14;
const answerWithinMs = 5_000;
const block = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

/** Every certificate of a PEM file; the one that ends first counts. */
export async function checkCertificateFile(path: string, nowMs = Date.now()): Promise<Answer> {
  const found = (await readFile(path, 'utf8')).match(block) ?? [];
  if (found.length === 0) return failed(`${path} has no certificate`, 'Name a PEM file with certificates.');
  const certificates = found.map((pem) => new X509Certificate(pem));
  const first = certificates.reduce((a, b) => (Date.parse(a.validTo) <= Date.parse(b.validTo) ? a : b));
  const notYet = certificates.find(({ validFrom }) => Date.parse(validFrom) > nowMs);
  if (notYet !== undefined)
    return failed(
      `${path} is valid from ${notYet.validFrom}`,
      'Check the clock, or use a valid certificate.',
    );
  return untilOf(path, Date.parse(first.validTo), nowMs);
}

/** A server that shows a certificate. */
export interface SecuredServer {
  readonly host: string;
  readonly port: number;
  /** PEM texts of authorities; absent: those that Node trusts. */
  readonly ca?: string | undefined;
  /** Hashes of keys, one of which it must have. */
  readonly pins?: string | undefined;
  /** PostgreSQL begins without TLS. */
  readonly isPostgres?: boolean;
}

/** The certificate that a server shows: whether it is trusted and of this host, and how long it holds. */
export async function checkServerCertificate(server: SecuredServer): Promise<Answer> {
  const { host, port, ca, pins } = server;
  const socket = connect({
    ...(server.isPostgres === true ? { socket: await offeredByPostgres(host, port) } : { host, port }),
    // Without a name the certificate would not be compared with it.
    ...(isIP(host) === 0 ? { servername: host } : { host }),
    // Judged below, with a date.
    rejectUnauthorized: false,
    ...(ca === undefined ? {} : { ca }),
  });
  const peer = await new Promise<PeerCertificate>((resolve, reject) => {
    socket.setTimeout(answerWithinMs, () => socket.destroy(new Error(`${host}:${port} does not answer`)));
    socket.once('secureConnect', () => resolve(socket.getPeerCertificate()));
    socket.once('error', reject);
  }).finally(() => socket.destroy());
  const key = peer.pubkey === undefined ? '' : createHash('sha256').update(spkiOf(peer)).digest('base64');
  if (pins !== undefined && !pins.split(',').includes(key))
    return failed(`${host} has the key ${key}, which is not pinned`, 'Ask the provider, then set its pin.');
  const [shown, untilMs] = [`${host}:${port}`, Date.parse(peer.valid_to)];
  const reason = String(socket.authorizationError ?? '');
  if (!socket.authorized && untilMs > Date.now())
    return failed(
      `${shown} has a certificate that is not trusted (${reason})`,
      'Name its authority, or correct it.',
    );
  return untilOf(shown, untilMs, Date.now());
}

/** The connection to PostgreSQL after it has agreed to TLS. */
async function offeredByPostgres(host: string, port: number): Promise<Socket> {
  const socket = createConnection({ host, port });
  socket.setTimeout(answerWithinMs, () => socket.destroy(new Error(`${host}:${port} does not answer`)));
  // Length and code of the request for TLS.
  socket.write(Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]));
  const [answer] = (await once(socket, 'data')) as [Buffer];
  if (answer.toString('latin1', 0, 1) === 'S') return socket;
  socket.destroy();
  throw new Error(`${host}:${port} does not offer TLS`);
}

const spkiOf = (peer: PeerCertificate): Buffer =>
  new X509Certificate(peer.raw).publicKey.export({ type: 'spki', format: 'der' });

function untilOf(what: string, untilMs: number, nowMs: number): Answer {
  const days = Math.floor((untilMs - nowMs) / dayMs);
  const until = new Date(untilMs).toISOString().slice(0, 10);
  if (untilMs <= nowMs) return failed(`${what} expired on ${until}`, 'Renew the certificate.');
  const shown = `${what} is valid until ${until}, ${days} days`;
  return days < warnDays ? warning(shown, 'Renew the certificate.') : ok(shown);
}
