import { moneyText } from '../hotel/texts.js';
import { accountName } from './account-name.js';
import { messages } from './finance-messages.js';

interface Moved {
  readonly amount: string | null;
  readonly currency: string | null;
  readonly debit: string | null;
  readonly credit: string | null;
}

/** An amount, with the accounts that it moved between if it was posted; empty without one. */
export function movedText({ amount, currency, debit, credit }: Moved): string {
  if (amount === null || currency === null) return '';
  const money = moneyText(amount, currency);
  return debit === null || credit === null
    ? money
    : messages.entry(money, accountName(credit), accountName(debit));
}
