import { messages } from './finance-messages.js';

/** A ledger account for people: `cash-psp:EUR` by its name, `seller:DE89…:EUR` by the seller's account. */
export function accountName(id: string): string {
  const parts = id.split(':');
  if (parts[0] === 'seller') return parts.slice(1, -1).join(':');
  return messages.accountNames[parts[0] as keyof typeof messages.accountNames] ?? id;
}
