import { readFile } from 'node:fs/promises';
import {
  type AddressedServer,
  type AddressSetting,
  addressSettings,
  serversOf,
} from '#platform/config/server-addresses.js';
import type { Config } from '#platform/config/settings.js';
import type { SecuredServer } from './certificates.js';

/** A setting, and the servers at its address that show a certificate; reading files may fail. */
export interface Secured {
  readonly name: string;
  readonly serversOf: () => Promise<readonly SecuredServer[]>;
}

/** What a setting says of the certificates at its address, beside the address. */
interface Expected {
  readonly pins?: string | undefined;
  readonly authorities?: string | undefined;
}

/** The settings whose servers are reached over TLS. */
export function securedServers(config: Config): readonly Secured[] {
  return addressSettings
    .filter((name) => isCalled(name, config))
    .map((name) => ({ name, servers: serversOf(name, config[name]).filter(showsCertificate) }))
    .filter(({ servers }) => servers.length > 0)
    .map(({ name, servers }) => {
      const expected = expectedOf(name, config);
      return { name, serversOf: () => Promise.all(servers.map((server) => asked(server, expected))) };
    });
}

function isCalled(name: AddressSetting, config: Config): boolean {
  // Browsers call them; this machine may have no way there.
  if (name === 'PUBLIC_URL' || name === 'PAYMENT_RETURN_URL') return false;
  return !name.startsWith('STRIPE_') || config.STRIPE_API_KEY !== undefined;
}

/** A mail server shows it only after a conversation. */
const showsCertificate = ({ hasTls, scheme }: AddressedServer): boolean => hasTls && scheme !== 'smtp';

function expectedOf(name: AddressSetting, config: Config): Expected {
  const stripe = { pins: config.STRIPE_PINS, authorities: config.STRIPE_AUTHORITIES };
  const given: Partial<Record<AddressSetting, Expected>> = {
    PSP_BASE_URL: { pins: config.PSP_PINS, authorities: config.PSP_AUTHORITIES },
    STRIPE_BASE_URL: stripe,
    STRIPE_FILES_URL: stripe,
    RISK_BASE_URL: { pins: config.RISK_PINS },
  };
  return given[name] ?? {};
}

async function asked(
  { host, port, scheme, authorities: inAddress }: AddressedServer,
  { pins, authorities = inAddress }: Expected,
): Promise<SecuredServer> {
  const ca = authorities === undefined ? undefined : await readFile(authorities, 'utf8');
  return { host, port, ca, pins, isPostgres: scheme.startsWith('postgres') };
}
