import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

export interface Certificate {
  /** PEM. */
  readonly key: string;
  readonly certificate: string;
  /** What a client pins: SHA-256 of the public key (SubjectPublicKeyInfo), in base64. */
  readonly pin: string;
}

/** DER: tag, length, content. */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size =
    length < 0x80
      ? [length]
      : length < 0x100
        ? [0x81, length]
        : length < 0x10000
          ? [0x82, length >> 8, length & 0xff]
          : undefined;
  if (size === undefined) throw new Error('A certificate of ours is never that long.');
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, ...parts);
const set = (...parts: readonly Uint8Array[]): Buffer => der(0x31, ...parts);
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
const text = (value: string): Buffer => der(0x0c, Buffer.from(value));
const time = (ms: number): Buffer =>
  der(0x18, Buffer.from(`${new Date(ms).toISOString().replace(/[-:T]|\.\d+/g, '')}`));
const bits = (content: Uint8Array): Buffer => der(0x03, Buffer.from([0]), content);
const octets = (content: Uint8Array): Buffer => der(0x04, content);

const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'));
const commonName = '550403';
const subjectAltName = '551d11';
const basicConstraints = '551d13';

const dayMs = 86_400_000;

/**
 * A self-signed X.509 certificate for `localhost` and 127.0.0.1 on P-256 (RFC 5280), so that the simulator
 * speaks real TLS and clients can pin it. Node makes keys and signatures, but no certificates.
 */
export function makeCertificate(name: string, nowMs: number): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const serial = randomBytes(8);
  // Of two authorities with one name TLS would try the wrong one.
  const subject = sequence(set(sequence(oid(commonName), text(`${name} ${serial.toString('hex')}`))));
  serial[0] = (serial[0]! & 0x7f) | 0x01;
  const alternatives = sequence(der(0x82, Buffer.from('localhost')), der(0x87, Buffer.from([127, 0, 0, 1])));
  const extensions = der(
    0xa3,
    sequence(
      sequence(oid(subjectAltName), octets(alternatives)),
      sequence(oid(basicConstraints), octets(sequence(der(0x01, Buffer.from([0xff]))))),
    ),
  );
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, serial),
    ecdsaWithSha256,
    subject,
    sequence(time(nowMs - dayMs), time(nowMs + 3_650 * dayMs)),
    subject,
    spki,
    extensions,
  );
  const whole = sequence(body, ecdsaWithSha256, bits(sign('sha256', body, privateKey)));
  const lines = whole.toString('base64').match(/.{1,64}/g) ?? [];
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
    pin: createHash('sha256').update(spki).digest('base64'),
  };
}
