import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** How a client checks a server and proves who it is: PEM texts, as `node:tls` takes them. */
export interface ClientTls {
  /** Authorities that sign certificates of servers; absent: those that Node trusts. */
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

/** Makes the error for an address of which this is wrong. */
type Fault = (what: string) => Error;

/** Names of files in the parameters of an address. */
const tlsParameters = ['ca', 'cert', 'key'] as const;
const passwordParameter = 'passwordFile';

interface SecuredAddress {
  readonly parameters: URLSearchParams;
  /** Names of parameters that this kind of address has beside those read here. */
  readonly others: readonly string[];
  /** Absent: the parameter `tls` says it. */
  readonly hasTls?: boolean;
  /** In the address; empty if there is none. */
  readonly password: string;
}

/**
 * How the server of an address is reached securely: `ca`, `cert` and `key` name files in PEM, `passwordFile`
 * one whose first line is the password. Throws what `fault` makes for an unknown parameter, and where a file
 * cannot be read, is not PEM, has expired, is empty, or is named without TLS.
 */
export function securityOf(
  { parameters, others, hasTls, password }: SecuredAddress,
  fault: Fault,
): { readonly tls?: ClientTls; readonly password?: string } {
  const known: readonly string[] = [...others, ...tlsParameters, passwordParameter];
  for (const name of parameters.keys())
    if (!known.includes(name) && !(name === 'tls' && hasTls === undefined))
      throw fault(`has the unknown parameter '${name}'`);
  const tls = tlsOf(parameters, hasTls ?? isOn(parameters, fault), fault);
  const read = passwordOf(password, parameters, fault);
  return { ...(tls === undefined ? {} : { tls }), ...(read === '' ? {} : { password: read }) };
}

/** Whether `tls=true` is among the parameters. */
function isOn(parameters: URLSearchParams, fault: Fault): boolean {
  const tls = parameters.get('tls') ?? 'false';
  if (tls !== 'true' && tls !== 'false') throw fault(`has tls='${tls}'; it is true or false`);
  return saysTls(parameters);
}

export const saysTls = (parameters: URLSearchParams): boolean => parameters.get('tls') === 'true';

function tlsOf(parameters: URLSearchParams, hasTls: boolean, fault: Fault): ClientTls | undefined {
  const named = tlsParameters.filter((name) => parameters.has(name));
  if (!hasTls) {
    if (named.length > 0) throw fault(`has '${named[0]}' but no TLS`);
    return undefined;
  }
  if (parameters.has('cert') !== parameters.has('key'))
    throw fault("needs both 'cert' and 'key', or neither");
  const texts = Object.fromEntries(named.map((name) => [name, fileOf(parameters, name, fault)])) as ClientTls;
  for (const name of ['ca', 'cert'] as const) {
    const text = texts[name];
    if (text !== undefined) checkCertificate(text, parameters.get(name)!, fault);
  }
  if (texts.key !== undefined) checkKey(texts.key, parameters.get('key')!, fault);
  return texts;
}

function passwordOf(given: string, parameters: URLSearchParams, fault: Fault): string {
  if (!parameters.has(passwordParameter)) return given;
  if (given !== '') throw fault(`has a password and '${passwordParameter}'`);
  const [line = ''] = fileOf(parameters, passwordParameter, fault).split('\n');
  if (line.trim() === '')
    throw fault(`names the file '${parameters.get(passwordParameter)}', which is empty`);
  return line.trim();
}

function fileOf(parameters: URLSearchParams, name: string, fault: Fault): string {
  const path = parameters.get(name)!;
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw fault(`names the file '${path}', which cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

function checkCertificate(text: string, path: string, fault: Fault): void {
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(text);
  } catch {
    throw fault(`names the file '${path}', which is no certificate in PEM`);
  }
  if (new Date(certificate.validTo).getTime() < Date.now())
    throw fault(`names the file '${path}', whose certificate expired on ${certificate.validTo}`);
}

function checkKey(text: string, path: string, fault: Fault): void {
  try {
    createPrivateKey(text);
  } catch {
    throw fault(`names the file '${path}', which is no private key in PEM without a passphrase`);
  }
}
