import type { TaxLineView } from '#schemas/http/hotel-taxes.js';
import { messages } from './messages.js';
import { moneyText } from './texts.js';

/** What of a price is taxes and fees; nothing where there are none. */
export function TaxList({
  taxes,
  net,
  currency,
}: {
  readonly taxes: readonly TaxLineView[];
  readonly net: string;
  readonly currency: string;
}) {
  if (taxes.length === 0) return null;
  return (
    <p class="muted taxes">
      {messages.netPrice(moneyText(net, currency))}
      {taxes.map(({ code, name, amount }) => (
        <span key={`${code} ${amount}`}>
          {' · '}
          <bdi>{name}</bdi> {moneyText(amount, currency)}
        </span>
      ))}
    </p>
  );
}
