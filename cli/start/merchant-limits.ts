import { type MerchantLimits, parseMerchantLimits } from '#payment/settings/merchant-limits.js';
import { CommandFailed, exitCode } from '../exit.js';

/** Of a setting with limits of single merchants. Throws `CommandFailed`. */
export function merchantLimits(setting: string, text: string, least: bigint): MerchantLimits {
  const limits = parseMerchantLimits(setting, text, least);
  if (typeof limits === 'string') throw new CommandFailed(limits, exitCode.usage);
  return limits;
}
