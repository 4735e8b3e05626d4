import { Type } from 'typebox';
import { saysTls } from './connection-security.js';

/** Addresses that have TLS, or are on loopback: their own schemas refuse anything else. */
const alwaysSecured = [
  'OIDC_ISSUER',
  'PSP_BASE_URL',
  'STRIPE_BASE_URL',
  'STRIPE_FILES_URL',
  'RISK_BASE_URL',
] as const;

/** Addresses that may also be without TLS. */
const perhapsPlain = [
  'PUBLIC_URL',
  'EVENT_LOG',
  'LOCATIONS',
  'CACHE',
  'SQL',
  'HOTEL_SHARDS',
  'OBJECTS',
  'MAIL',
  'SCHEMA_REGISTRY_URL',
  'JWKS_URL',
  'PAYMENT_RETURN_URL',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
] as const;

/** Every setting whose value is the address of a server, or of several. */
export const addressSettings = [...perhapsPlain, ...alwaysSecured] as const;
export type AddressSetting = (typeof addressSettings)[number];

export const listenerSettings = ['HOST', 'INTERNAL_HOST'] as const;

/** What PLAIN_CONNECTIONS may name. */
export const acceptableSettings = [...listenerSettings, ...perhapsPlain] as const;

const anyOfThem = `(?:${acceptableSettings.join('|')})`;

export const plainSettings = {
  PLAIN_CONNECTIONS: {
    schema: Type.String({ pattern: `^(?:${anyOfThem}(?:,${anyOfThem})*)?$`, maxLength: 1_024 }),
    fallback: '',
    doc:
      'Settings whose connections may leave this machine without TLS in production, joined by commas: ' +
      `${acceptableSettings.join(', ')}. Default: none.`,
  },
} as const;

/** A server as its address says. */
export interface AddressedServer {
  readonly scheme: string;
  /** Without brackets; empty in a malformed address. */
  readonly host: string;
  readonly port: number;
  readonly hasTls: boolean;
  /** What to write in the address, so that it has TLS. */
  readonly remedy: string;
  /** File in PEM of the authorities that sign its certificate; absent: those that Node trusts. */
  readonly authorities: string | undefined;
}

interface Scheme {
  readonly port: number;
  readonly hasTls: (parameters: URLSearchParams) => boolean;
  readonly remedy: string;
}
const always = (port: number): Scheme => ({ port, hasTls: () => true, remedy: '' });
const never = (port: number, remedy: string): Scheme => ({ port, hasTls: () => false, remedy });
const byParameter = (port: number): Scheme => ({ port, hasTls: saysTls, remedy: 'add tls=true' });
const postgres: Scheme = {
  port: 5432,
  hasTls: (parameters) => ['require', 'verify-full'].includes(parameters.get('sslmode') ?? ''),
  remedy: 'add sslmode=verify-full',
};

const schemes: Readonly<Record<string, Scheme>> = {
  https: always(443),
  http: never(80, 'begin it with https://'),
  rediss: always(6379),
  redis: never(6379, 'begin it with rediss://'),
  kafka: byParameter(9092),
  cassandra: byParameter(9042),
  postgres,
  postgresql: postgres,
  smtps: always(465),
  // Without it a server, or who is between, decides whether there is TLS.
  smtp: {
    port: 587,
    hasTls: (parameters) => parameters.get('requireTLS') === 'true',
    remedy: 'add requireTLS=true, or begin it with smtps://',
  },
};
/** Folders, and memory of the process. */
const withoutServer = ['embedded', 'lmdb', 'dir', 'memory'];

/** The servers of a setting; none if it has no value. */
export const serversOf = (name: AddressSetting, value: string | undefined): readonly AddressedServer[] =>
  value === undefined
    ? []
    : (name === 'HOTEL_SHARDS' ? namedAddresses(value).map(([, address]) => address) : [value]).flatMap(
        serversAt,
      );

/** The pairs of `NAME=ADDRESS`, joined by blanks. */
export const namedAddresses = (text: string): readonly (readonly [name: string, address: string])[] =>
  text.split(' ').map((entry) => {
    const at = entry.indexOf('=');
    return [entry.slice(0, at), entry.slice(at + 1)];
  });

/** The servers that an address names. One of an unknown kind counts as a server without TLS. */
export function serversAt(address: string): readonly AddressedServer[] {
  const scheme = address.slice(0, address.indexOf(':')).toLowerCase();
  if (withoutServer.includes(scheme)) return [];
  const { hosts, parameters } = partsOf(scheme, address);
  if (scheme === 's3') {
    const endpoint = parameters.get('endpoint');
    // Amazon's own is HTTPS.
    return endpoint === null ? [] : serversAt(endpoint);
  }
  const { port, hasTls, remedy } = schemes[scheme] ?? never(0, 'write an address with TLS');
  return hosts.map((text) => {
    const [, host = '', given] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(text) ?? [];
    return {
      scheme,
      host: host.replace(/^\[|\]$/g, ''),
      port: Number(given ?? port),
      hasTls: hasTls(parameters),
      remedy,
      authorities: parameters.get('ca') ?? undefined,
    };
  });
}

/** Whether all servers of an address are reached over TLS. */
export const isOverTls = (address: string): boolean => serversAt(address).every(({ hasTls }) => hasTls);

export const isLoopback = (host: string): boolean => /^(?:localhost|127\.[\d.]+|::1)$/i.test(host);

function partsOf(
  scheme: string,
  address: string,
): { readonly hosts: readonly string[]; readonly parameters: URLSearchParams } {
  if (scheme === 'kafka' || scheme === 'cassandra') {
    // Several hosts make no URL.
    const [, hosts = '', query] = /^\w+:\/\/(?:[^@/]*@)?([^@/?]*)[^?]*\??(.*)$/.exec(address) ?? [];
    return { hosts: hosts.split(','), parameters: new URLSearchParams(query) };
  }
  if (!URL.canParse(address)) return { hosts: [''], parameters: new URLSearchParams() };
  const { host, searchParams } = new URL(address);
  return { hosts: [host], parameters: searchParams };
}
