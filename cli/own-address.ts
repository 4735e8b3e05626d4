import type { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { namesHost, readCertificate } from '#platform/config/listener-tls.js';
import type { Config } from '#platform/config/settings.js';
import { CommandFailed, exitCode } from './exit.js';

/** A listener that binds to one of them is reached at every address of its machine. */
const anyAddress: readonly string[] = ['0.0.0.0', '::'];

/**
 * Address of a listener for programs of this machine, without a slash at the end. With TLS it has a host that
 * the certificate names, or nobody would trust it.
 */
export function ownAddress(host: string, port: number, certificate: X509Certificate | undefined): string {
  const shown = anyAddress.includes(host) ? 'localhost' : host;
  return certificate === undefined
    ? `http://${inUrl(shown)}:${port}`
    : `https://${inUrl(certifiedHost(shown, certificate))}:${port}`;
}

function certifiedHost(wanted: string, certificate: X509Certificate): string {
  const hosts = [wanted, 'localhost', '127.0.0.1', ...namesOf(certificate)];
  return hosts.find((host) => namesHost(certificate, host)) ?? wanted;
}

/** DNS names without wildcards. */
const namesOf = ({ subjectAltName = '' }: X509Certificate): readonly string[] =>
  [...subjectAltName.matchAll(/DNS:([\w.-]+)/g)].map(([, name]) => name!);

const inUrl = (host: string): string => (isIP(host) === 6 ? `[${host}]` : host);

type Place = 'public' | 'internal';
const defaultPorts = { public: 8080, internal: 8081 } as const;

/**
 * Where a command finds a listener of this machine, if its program has the settings of the command. Who runs
 * it need not be able to read the key.
 */
export function addressBySettings(config: Config, place: Place): string {
  const [host, port] =
    place === 'public' ? [config.HOST, config.PORT] : [config.INTERNAL_HOST, config.INTERNAL_PORT];
  const file = config.TLS_CERTIFICATE_FILE;
  return ownAddress(
    host,
    port === 0 ? defaultPorts[place] : port,
    file === undefined ? undefined : certificateIn(file),
  );
}

function certificateIn(file: string): X509Certificate {
  try {
    return readCertificate(file).certificate;
  } catch (error) {
    throw new CommandFailed((error as Error).message, exitCode.usage);
  }
}
