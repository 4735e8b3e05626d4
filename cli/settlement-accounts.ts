import {
  parseSettlementAccounts,
  type SettlementAccounts,
} from '#payment/reconciliation/settlement-accounts.js';
import { CommandFailed, exitCode } from './exit.js';

/** Whose settlement files are accepted; a wrong setting ends the command with a sentence. */
export function settlementAccounts(config: { readonly SETTLEMENT_ACCOUNTS: string }): SettlementAccounts {
  const parsed = parseSettlementAccounts(config.SETTLEMENT_ACCOUNTS);
  if (typeof parsed === 'string') throw new CommandFailed(parsed, exitCode.usage);
  return parsed;
}

/** What a provider settles is compared with nothing, because we name no account there. */
export interface Unsettled {
  readonly fault: string;
  readonly advice: string;
}

/** The providers, of those that charge orders, without an account in the setting; nothing if it is wrong. */
export function unsettledProviders(
  names: readonly string[],
  { SETTLEMENT_ACCOUNTS: setting }: { readonly SETTLEMENT_ACCOUNTS: string },
): readonly Unsettled[] {
  const accounts = parseSettlementAccounts(setting);
  if (typeof accounts === 'string') return [];
  return names
    .filter((name) => !accounts.has(name))
    .map((name) => ({
      fault:
        `SETTLEMENT_ACCOUNTS does not name ${name}, so nobody compares what ${name} ` +
        'settles with our books',
      advice: `set SETTLEMENT_ACCOUNTS=${setting},${name}`,
    }));
}
