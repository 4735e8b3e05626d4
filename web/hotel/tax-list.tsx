import type { TaxLineView } from '#schemas/http/hotel-taxes.js';
import * as messages from './messages.js';
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
    <details class="turns">
      <summary>{messages.taxesIncluded}</summary>
      <ul class="lines">
        <li>
          <span>{messages.netPrice}</span>
          <span>{moneyText(net, currency)}</span>
        </li>
        {taxes.map(({ code, name, amount }) => (
          <li key={`${code} ${amount}`}>
            <bdi>{name}</bdi>
            <span>{moneyText(amount, currency)}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
