import { createHash, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { connect, type PeerCertificate } from 'node:tls';
import { type Answer, failed, ok, warning } from './finding.js';

const dayMs = 86_400_000;
const warnDays = 30;
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

/** What the server of an https address shows; `pins` are hashes of keys, one of which it must have. */
export async function checkServerCertificate(
  address: string,
  options: { readonly pins?: string | undefined; readonly authorities?: string | undefined } = {},
): Promise<Answer> {
  const { hostname, port } = new URL(address);
  const host = hostname.replace(/^\[|\]$/g, '');
  const ca = options.authorities === undefined ? {} : { ca: await readFile(options.authorities, 'utf8') };
  const peer = await new Promise<PeerCertificate>((resolve, reject) => {
    const socket = connect({
      host,
      port: Number(port || 443),
      ...(isIP(host) === 0 ? { servername: host } : {}),
      timeout: answerWithinMs,
      ...ca,
    });
    socket.once('secureConnect', () => {
      resolve(socket.getPeerCertificate());
      socket.destroy();
    });
    socket.once('timeout', () => socket.destroy(new Error(`${hostname} does not answer`)));
    socket.once('error', reject);
  });
  const key = peer.pubkey === undefined ? '' : createHash('sha256').update(spkiOf(peer)).digest('base64');
  if (options.pins !== undefined && !options.pins.split(',').includes(key))
    return failed(
      `${hostname} has the key ${key}, which is not pinned`,
      'Ask the provider, then set its pin.',
    );
  return untilOf(hostname, Date.parse(peer.valid_to), Date.now());
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
