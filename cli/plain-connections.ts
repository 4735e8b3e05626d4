import { DEFAULT_MIN_VERSION } from 'node:tls';
import {
  addressSettings,
  isLoopback,
  listenerSettings,
  serversAt,
  serversOf,
} from '#platform/config/server-addresses.js';
import type { Config } from '#platform/config/settings.js';
import type { TargetRule } from '#platform/webhooks/webhook-target.js';
import { CommandFailed, exitCode } from './exit.js';

/** A connection that may leave this machine without TLS. */
interface PlainConnection {
  readonly setting: string;
  /** Nothing else of an address, which may have a password. */
  readonly host: string;
  readonly remedy: string;
}

type Environment = Readonly<Record<string, string | undefined>>;
const isProduction = (environment: Environment): boolean => environment['NODE_ENV'] === 'production';

/** Webhooks of customers go to https addresses of the Internet only, but in development to any. */
export const webhookTargets = (environment: Environment = process.env): TargetRule =>
  isProduction(environment) ? 'public' : 'any';

/** Connections of a program without TLS; `listens`: also those to its own listeners. */
function plainConnections(config: Config, listens: boolean): readonly PlainConnection[] {
  const listeners = listens ? plainListeners(config) : [];
  const servers = addressSettings.flatMap((setting) =>
    serversOf(setting, config[setting])
      .filter(({ host, hasTls }) => !hasTls && !isLoopback(host))
      .map(({ host, remedy }) => ({ setting, host, remedy })),
  );
  return [...listeners, ...servers];
}

function plainListeners(config: Config): readonly PlainConnection[] {
  const hasTls = config.TLS_CERTIFICATE_FILE !== undefined;
  if (hasTls || config.TRUSTED_PROXIES.trim() !== '') return [];
  const remedy = 'set TLS_CERTIFICATE_FILE and TLS_KEY_FILE, or TRUSTED_PROXIES if a proxy ends TLS';
  return listenerSettings
    .map((setting) => ({ setting, host: config[setting], remedy }))
    .filter(({ host }) => !isLoopback(host));
}

export interface JudgedConnections {
  /** One sentence about all that PLAIN_CONNECTIONS does not name. */
  readonly fault: string | undefined;
  /** A sentence about each that it names. */
  readonly accepted: readonly string[];
}

/** In production no connection leaves the machine without TLS, unless PLAIN_CONNECTIONS names its setting. */
export function judgeConnections(
  config: Config,
  { listens, environment = process.env }: { readonly listens: boolean; readonly environment?: Environment },
): JudgedConnections {
  if (!isProduction(environment)) return { fault: undefined, accepted: [] };
  const weakness = weaknessOfNode(environment);
  if (weakness !== undefined) return { fault: weakness, accepted: [] };
  const named = config.PLAIN_CONNECTIONS.split(',').filter((name) => name !== '');
  const plain = plainConnections(config, listens);
  const refused = plain.filter(({ setting }) => !named.includes(setting));
  return {
    fault: refused.length === 0 ? undefined : sentence(refused, named),
    accepted: plain
      .filter(({ setting }) => named.includes(setting))
      .map(
        ({ setting, host }) =>
          `${setting} (${host}) has no TLS, so what is sent can be read on the network; ` +
          'PLAIN_CONNECTIONS accepts it',
      ),
  };
}

/** Options of Node.js that make TLS of all drivers weak. */
function weaknessOfNode(environment: Environment): string | undefined {
  if (DEFAULT_MIN_VERSION < 'TLSv1.2')
    return 'With NODE_ENV=production, TLS is 1.2 or newer: remove --tls-min-v1.0 and --tls-min-v1.1.';
  if (environment['NODE_TLS_REJECT_UNAUTHORIZED'] === '0')
    return 'With NODE_ENV=production, certificates are checked: remove NODE_TLS_REJECT_UNAUTHORIZED=0.';
  return undefined;
}

function sentence(refused: readonly PlainConnection[], named: readonly string[]): string {
  const each = refused.map(({ setting, host, remedy }) => `${setting} (${host}): ${remedy}`);
  const settings = new Set([...named, ...refused.map(({ setting }) => setting)]);
  return (
    'With NODE_ENV=production, connections that leave this machine need TLS, and these have none. ' +
    `${each.join('; ')}. To accept them as they are, set PLAIN_CONNECTIONS=${[...settings].join(',')}.`
  );
}

/** The same for an address on the command line, which nothing accepts. */
export function refusePlainAddress(
  what: string,
  address: string,
  environment: Environment = process.env,
): void {
  const plain = serversAt(address).find(({ host, hasTls }) => !hasTls && !isLoopback(host));
  if (plain !== undefined && isProduction(environment))
    throw new CommandFailed(
      `With NODE_ENV=production, ${what} must have TLS, and ${plain.host} is on another machine: ` +
        `${plain.remedy}.`,
      exitCode.usage,
    );
}
