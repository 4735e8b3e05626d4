import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { path } from './setting-shapes.js';
import { WrongSetting } from './wrong-setting.js';

export const tlsSettings = {
  TLS_CERTIFICATE_FILE: {
    schema: path,
    doc:
      'File in PEM of the certificate of both listeners and of those that sign it. They then speak HTTPS ' +
      'only. Read at start.',
  },
  TLS_KEY_FILE: { schema: path, doc: 'File in PEM of the private key of that certificate.' },
  TLS_KEY_PASSPHRASE_FILE: { schema: path, doc: 'File whose first line is the passphrase of that key.' },
} as const;

/** A certificate with its key, which were read and fit. */
export interface ListenerTls {
  readonly certificateFile: string;
  readonly keyFile: string;
  readonly passphrase: string | undefined;
  /** The first of the file, of this server. */
  readonly certificate: X509Certificate;
  /** PEM texts of the files. */
  readonly chainText: string;
  readonly keyText: string;
}

type TlsConfig = {
  readonly [Name in keyof typeof tlsSettings | 'PUBLIC_URL']: string | undefined;
} & { readonly TRUSTED_PROXIES: string };

/**
 * How both listeners speak TLS; absent: they speak HTTP. Throws a `WrongSetting` where a file cannot be used,
 * and where clients would not trust the certificate under PUBLIC_URL. A trusted proxy judges it by itself.
 */
export function listenerTlsOf(config: TlsConfig): ListenerTls | undefined {
  const { TLS_CERTIFICATE_FILE: certificateFile, TLS_KEY_FILE: keyFile } = config;
  if (certificateFile === undefined || keyFile === undefined) {
    const lonely = Object.keys(tlsSettings).find((name) => config[name as keyof typeof tlsSettings]);
    const missing = certificateFile === undefined ? 'TLS_CERTIFICATE_FILE' : 'TLS_KEY_FILE';
    if (lonely !== undefined) throw new WrongSetting(`${lonely} is set, so ${missing} must be set too.`);
    return undefined;
  }
  const { certificate, chainText } = readCertificate(certificateFile);
  const passphrase = passphraseOf(config.TLS_KEY_PASSPHRASE_FILE);
  const keyText = textOf('TLS_KEY_FILE', keyFile);
  if (!certificate.checkPrivateKey(keyOf(keyText, keyFile, passphrase)))
    throw new WrongSetting(`TLS_KEY_FILE '${keyFile}' is not the key of TLS_CERTIFICATE_FILE.`);
  if (config.PUBLIC_URL !== undefined && config.TRUSTED_PROXIES === '')
    checkPublicUrl(certificate, new URL(config.PUBLIC_URL));
  return { certificateFile, keyFile, passphrase, certificate, chainText, keyText };
}

/** Whether the certificate is for this host name or address. */
export const namesHost = (certificate: X509Certificate, host: string): boolean =>
  (isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host)) !== undefined;

function textOf(name: keyof typeof tlsSettings, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new WrongSetting(`${name} names the file '${file}', which cannot be read (${code}).`);
  }
}

/** The certificate in TLS_CERTIFICATE_FILE, which is valid now, and those that sign it. */
export function readCertificate(file: string): Pick<ListenerTls, 'certificate' | 'chainText'> {
  const chainText = textOf('TLS_CERTIFICATE_FILE', file);
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(chainText);
  } catch {
    throw new WrongSetting(`TLS_CERTIFICATE_FILE '${file}' is no certificate in PEM.`);
  }
  const { validFrom, validTo } = certificate;
  if (Date.parse(validTo) <= Date.now())
    throw new WrongSetting(`The certificate in TLS_CERTIFICATE_FILE '${file}' expired on ${validTo}.`);
  if (Date.parse(validFrom) > Date.now())
    throw new WrongSetting(`The certificate in TLS_CERTIFICATE_FILE '${file}' is valid from ${validFrom}.`);
  return { certificate, chainText };
}

function passphraseOf(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  const [line = ''] = textOf('TLS_KEY_PASSPHRASE_FILE', file).split(/\r?\n/);
  if (line === '') throw new WrongSetting(`TLS_KEY_PASSPHRASE_FILE '${file}' has an empty first line.`);
  return line;
}

function keyOf(key: string, file: string, passphrase: string | undefined): KeyObject {
  try {
    return createPrivateKey({ key, ...(passphrase === undefined ? {} : { passphrase }) });
  } catch {
    throw new WrongSetting(
      passphrase === undefined && key.includes('ENCRYPTED')
        ? `TLS_KEY_FILE '${file}' is encrypted, so TLS_KEY_PASSPHRASE_FILE must be set too.`
        : `TLS_KEY_FILE '${file}' is no private key in PEM` +
            `${passphrase === undefined ? '' : ' that TLS_KEY_PASSPHRASE_FILE opens'}.`,
    );
  }
}

function checkPublicUrl(certificate: X509Certificate, { protocol, hostname }: URL): void {
  if (protocol !== 'https:')
    throw new WrongSetting('PUBLIC_URL must begin with https://: TLS_CERTIFICATE_FILE is set.');
  if (!namesHost(certificate, hostname))
    throw new WrongSetting(
      `The certificate in TLS_CERTIFICATE_FILE is not for ${hostname}, the host of PUBLIC_URL, but for ` +
        `${certificate.subjectAltName ?? 'no host'}.`,
    );
}
