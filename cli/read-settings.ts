import { paymentFaults } from '#platform/config/payment-setting-faults.js';
import { readConfig } from '#platform/config/read-config.js';
import { type Config, settings } from '#platform/config/settings.js';
import { signInFaults } from '#platform/config/sign-in-settings.js';
import { parseTrustedProxies } from '#platform/http/proxy/trusted-proxies.js';
import { CommandFailed, exitCode } from './exit.js';
import { judgeConnections } from './plain-connections.js';

/**
 * The environment as configuration; a wrong key ends the command with one sentence for each. `listens`: it
 * opens the listeners.
 */
export function readSettings(
  overrides: Readonly<Record<string, string>> = {},
  { listens = false }: { readonly listens?: boolean } = {},
): Config {
  const outcome = readConfig(settings, { ...process.env, ...overrides });
  if (!outcome.ok) throw new CommandFailed(outcome.faults.join('\n'), exitCode.usage);
  const faults = [...signInFaults(outcome.config), ...paymentFaults(outcome.config)];
  if (faults.length > 0) throw new CommandFailed(faults.join('\n'), exitCode.usage);
  try {
    parseTrustedProxies(outcome.config.TRUSTED_PROXIES);
  } catch (error) {
    throw new CommandFailed((error as Error).message, exitCode.usage);
  }
  const { fault } = judgeConnections(outcome.config, { listens });
  if (fault !== undefined) throw new CommandFailed(fault, exitCode.usage);
  return outcome.config;
}
