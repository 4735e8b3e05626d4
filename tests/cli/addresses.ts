import { judgeConnections } from '#cli/plain-connections.js';
import { readConfig } from '#platform/config/read-config.js';
import type { AddressSetting } from '#platform/config/server-addresses.js';
import type { Settings } from '#platform/config/setting.js';
import { type Config, settings } from '#platform/config/settings.js';

/** Of documentation (RFC 5737): nobody answers there. */
export const host = '192.0.2.1';
export const secret = 'pw-pw-pw';

/** A value of each setting: without TLS, and with it. */
export const addresses: Readonly<Record<AddressSetting, readonly [plain: string, secured: string]>> = {
  PUBLIC_URL: [`http://${host}`, `https://${host}`],
  EVENT_LOG: [`kafka://${host}:9092`, `kafka://${host}:9093?tls=true`],
  LOCATIONS: [`cassandra://u:${secret}@${host}/k`, `cassandra://u:${secret}@${host}/k?tls=true`],
  CACHE: [`redis://:${secret}@${host}`, `rediss://:${secret}@${host}`],
  SQL: [`postgres://u:${secret}@${host}/d`, `postgres://u:${secret}@${host}/d?sslmode=verify-full`],
  HOTEL_SHARDS: [
    `a=embedded:./a b=postgres://u:${secret}@${host}/d`,
    `a=embedded:./a b=postgres://u:${secret}@${host}/d?sslmode=require`,
  ],
  OBJECTS: [`s3://bucket?endpoint=http://${host}`, `s3://bucket?endpoint=https://${host}`],
  MAIL: [`smtp://u:${secret}@${host}`, `smtp://u:${secret}@${host}?requireTLS=true`],
  SCHEMA_REGISTRY_URL: [`http://u:${secret}@${host}`, `https://u:${secret}@${host}`],
  JWKS_URL: [`http://${host}/keys`, `https://${host}/keys`],
  PAYMENT_RETURN_URL: [`http://${host}/return`, `https://${host}/return`],
  OTEL_EXPORTER_OTLP_ENDPOINT: [`http://${host}:4318`, `https://${host}:4318`],
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: [`http://${host}/v1/traces`, `https://${host}/v1/traces`],
  OIDC_ISSUER: [`http://${host}`, 'https://issuer.example'],
  PSP_BASE_URL: [`http://${host}`, `https://${host}`],
  STRIPE_BASE_URL: [`http://${host}`, `https://${host}`],
  STRIPE_FILES_URL: [`http://${host}`, `https://${host}`],
  RISK_BASE_URL: [`http://${host}`, `https://${host}`],
};
export const production = { NODE_ENV: 'production' };

function read(declared: Settings, given: Readonly<Record<string, string>>): object {
  const outcome = readConfig(declared, given);
  if (!outcome.ok) throw new Error(outcome.faults.join('\n'));
  return outcome.config;
}
const defaults = read(settings, {}) as Config;
/** To check all settings again for each case would take most of the time. */
export const configOf = (given: Readonly<Record<string, string>>): Config => ({
  ...defaults,
  ...read(Object.fromEntries(Object.entries(settings).filter(([name]) => name in given)), given),
});
export const judged = (given: Readonly<Record<string, string>>, environment = production) =>
  judgeConnections(configOf(given), { listens: true, environment });
