import { readFile } from 'node:fs/promises';
import type { Config } from '#platform/config/settings.js';
import { kafkaServersOf } from '#platform/event-log/kafka-servers.js';
import { redisServerOf } from '#platform/live-cache/open-live-cache.js';
import { clusterOf } from '#platform/location-store/open-location-store.js';
import { serverOf } from '#platform/sql/open-sql.js';
import type { SecuredServer } from './certificates.js';

/** A setting, and the servers at its address that show a certificate; reading files may fail. */
export interface Secured {
  readonly name: string;
  readonly serversOf: () => Promise<readonly SecuredServer[]>;
}

/** The settings whose servers are reached over TLS. */
export function securedServers(config: Config): readonly Secured[] {
  return [...overHttps(config), ...withTls(config)];
}

function overHttps(config: Config): readonly Secured[] {
  const found: Secured[] = [];
  const add = (
    name: string,
    address: string | undefined,
    { pins, authorities }: { pins?: string | undefined; authorities?: string | undefined } = {},
  ) => {
    if (address?.startsWith('https://') !== true) return;
    const { hostname, port } = new URL(address);
    const serversOf = async () => {
      const ca = authorities === undefined ? undefined : await readFile(authorities, 'utf8');
      return [{ ...placeOf(hostname, Number(port || 443)), ca, pins }];
    };
    found.push({ name, serversOf });
  };
  add('PSP_BASE_URL', config.PSP_BASE_URL, { pins: config.PSP_PINS, authorities: config.PSP_AUTHORITIES });
  if (config.STRIPE_API_KEY !== undefined)
    for (const name of ['STRIPE_BASE_URL', 'STRIPE_FILES_URL'] as const)
      add(name, config[name], { pins: config.STRIPE_PINS, authorities: config.STRIPE_AUTHORITIES });
  add('RISK_BASE_URL', config.RISK_BASE_URL, { pins: config.RISK_PINS });
  add('JWKS_URL', config.JWKS_URL);
  add('OIDC_ISSUER', config.OIDC_ISSUER);
  add('SCHEMA_REGISTRY_URL', config.SCHEMA_REGISTRY_URL);
  add('OBJECTS', /[?&]endpoint=([^&]+)/.exec(config.OBJECTS ?? '')?.[1]);
  return found;
}

function withTls(config: Config): readonly Secured[] {
  const found: Secured[] = [];
  const { EVENT_LOG: log, LOCATIONS: locations, CACHE: cache, SQL: sql } = config;
  if (log?.startsWith('kafka:') && /[?&]tls=true/.test(log))
    found.push({
      name: 'EVENT_LOG',
      serversOf: async () => {
        const { brokers, tls } = kafkaServersOf(log);
        return brokers.map((broker) => ({ ...hostAndPort(broker), ca: tls?.ca }));
      },
    });
  if (locations?.startsWith('cassandra:') && /[?&]tls=true/.test(locations))
    found.push({
      name: 'LOCATIONS',
      serversOf: async () => {
        const { contactPoints, port, tls } = clusterOf(locations, 1);
        return contactPoints.map((host) => ({ host, port, ca: tls?.ca }));
      },
    });
  if (cache.startsWith('rediss:'))
    found.push({
      name: 'CACHE',
      serversOf: async () => {
        const { host, port, tls } = redisServerOf(cache);
        return [{ host, port, ca: tls?.ca }];
      },
    });
  if (sql?.startsWith('postgres') && /[?&]sslmode=(require|verify-full)/.test(sql))
    found.push({
      name: 'SQL',
      serversOf: async () => {
        const { host, port, tls } = serverOf(sql);
        return [{ host, port, ca: tls?.ca, isPostgres: true }];
      },
    });
  return found;
}

function hostAndPort(text: string): { readonly host: string; readonly port: number } {
  const at = text.lastIndexOf(':');
  return placeOf(text.slice(0, at), Number(text.slice(at + 1)));
}

const placeOf = (host: string, port: number) => ({ host: host.replace(/^\[|\]$/g, ''), port });
