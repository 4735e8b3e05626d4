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
