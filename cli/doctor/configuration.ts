import { existsSync } from 'node:fs';
import { ownName } from '#payment/psp/https-psp.js';
import { stripeName } from '#payment/psp/stripe/stripe-psp.js';
import { parseSettlementAccounts } from '#payment/reconciliation/settlement-accounts.js';
import { listenerTlsOf } from '#platform/config/listener-tls.js';
import { paymentFaults } from '#platform/config/payment-setting-faults.js';
import { readConfig } from '#platform/config/read-config.js';
import { type Config, settings } from '#platform/config/settings.js';
import { signInFaults } from '#platform/config/sign-in-settings.js';
import { refuseLogWithoutRegistry } from '../context.js';
import { refuseLongPages } from '../long-pages.js';
import { judgeConnections } from '../plain-connections.js';
import { unsettledProviders } from '../settlement-accounts.js';
import { type Answer, type Finding, failed, ok, warning } from './finding.js';

const seeSettings = 'npx meridian config lists every setting.';
const seePlain = 'docs/secure-servers.md has the addresses with TLS.';

export type ReadSettings =
  | { readonly config: Config; readonly findings: readonly Finding[] }
  | { readonly config: undefined; readonly findings: readonly Finding[] };

/** The environment as settings; each fault is a finding. */
export function checkSettings(environment: NodeJS.ProcessEnv): ReadSettings {
  const outcome = readConfig(settings, environment);
  if (!outcome.ok) {
    const findings = outcome.faults.map((fault) => ({ check: 'settings', ...failed(fault, seeSettings) }));
    return { config: undefined, findings };
  }
  const { config } = outcome;
  const findings = [...together(config), ...forProduction(config, environment)];
  const set = Object.keys(settings).filter((name) => (environment[name] ?? '') !== '').length;
  const all = ok(`${set} of ${Object.keys(settings).length} are set, all are valid`);
  return {
    config,
    findings: (findings.length === 0 ? [all] : findings).map((each) => ({ check: 'settings', ...each })),
  };
}

/** Settings that need others. Programs refuse to start without them. */
function together(config: Config): Answer[] {
  const found: Answer[] = [];
  const needs = (has: unknown, name: string, ...others: readonly (keyof Config)[]): void => {
    const missing = others.filter((other) => config[other] === undefined);
    if (has === undefined || missing.length === 0) return;
    found.push(failed(`${name} is set, so ${missing.join(', ')} must be set too`, seeSettings));
  };
  const say = (fault: string): unknown => found.push(failed(fault.replace(/\.$/, ''), seeSettings));
  const sayWhatThrows = (check: (config: Config) => unknown, tell = say): void => {
    try {
      check(config);
    } catch (error) {
      tell((error as Error).message);
    }
  };
  sayWhatThrows(refuseLogWithoutRegistry);
  for (const fault of [...signInFaults(config), ...paymentFaults(config)]) say(fault);
  sayWhatThrows(listenerTlsOf);
  // Only programs with hotels refuse to start.
  sayWhatThrows(refuseLongPages, (fault) => found.push(warning(fault.replace(/\.$/, ''), seeSettings)));
  needs(config.PSP_BASE_URL, 'PSP_BASE_URL', 'PSP_API_KEY', 'PSP_PINS', 'WEBHOOK_SECRETS');
  needs(config.STRIPE_API_KEY, 'STRIPE_API_KEY', 'STRIPE_WEBHOOK_SECRETS');
  needs(config.RISK_BASE_URL, 'RISK_BASE_URL', 'RISK_API_KEY', 'RISK_PINS');
  const s3 = config.OBJECTS?.startsWith('s3:') === true ? config.OBJECTS : undefined;
  needs(s3, 'OBJECTS is S3; it', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY');
  return [...found, ...settlements(config)];
}

/** Each provider settles; without an account there, nobody compares it. */
function settlements(config: Config): Answer[] {
  const accounts = parseSettlementAccounts(config.SETTLEMENT_ACCOUNTS);
  if (typeof accounts === 'string') return [failed(accounts.replace(/\.$/, ''), seeSettings)];
  const { PSP_BASE_URL: own, STRIPE_API_KEY: stripe } = config;
  const names = [
    ...(own !== undefined || stripe === undefined ? [ownName] : []),
    ...(stripe === undefined ? [] : [stripeName]),
  ];
  return unsettledProviders(names, config).map(({ fault, advice }) =>
    warning(fault, `${advice[0]!.toUpperCase()}${advice.slice(1)}.`),
  );
}

/** What development allows and production refuses. */
function forProduction(config: Config, environment: NodeJS.ProcessEnv): Answer[] {
  const { fault, accepted } = judgeConnections(config, { listens: true, environment });
  const found: Answer[] = fault === undefined ? [] : [failed(fault, seePlain)];
  for (const each of accepted) found.push(warning(each, seePlain));
  const isProduction = environment['NODE_ENV'] === 'production';
  const needed = [
    ['JWKS_URL', config.JWKS_URL, 'tokens come from the development issuer'],
    ['GUEST_DATA_KEYS', config.GUEST_DATA_KEYS, 'the key of guests’ data lies beside the data'],
    ['PSP_BASE_URL', config.PSP_BASE_URL ?? config.STRIPE_API_KEY, 'payments go to a simulator'],
  ] as const;
  for (const [name, value, otherwise] of needed)
    if (value === undefined && isProduction)
      found.push(failed(`${name} is required with NODE_ENV=production: ${otherwise}`, `Set ${name}.`));
  const pid = config.PID_FILE;
  if (pid !== undefined && existsSync(`${pid}/`))
    found.push(warning(`PID_FILE ${pid} is a folder`, 'Name a file.'));
  return found;
}
