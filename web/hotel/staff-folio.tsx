import type { FolioView } from '#schemas/http/hotel-folio.js';
import { askAs } from './calls.js';
import { Shown } from './frame.js';
import * as messages from './staff-messages.js';
import { dayText, moneyText } from './texts.js';
import { useLoaded } from './use-loaded.js';

/** What a stay costs and what was paid for it. `version` changes with the reservation, and loads it again. */
export function StaffFolio({ path, version }: { readonly path: string; readonly version: string }) {
  const [folio] = useLoaded(`${path} ${version}`, () => askAs<FolioView>('desk', `${path}/folio`));
  return (
    <Shown state={folio}>
      {({ charges, payments, totals, currency }) => (
        <details class="turns">
          <summary>{messages.balance(moneyText(totals.balance, currency))}</summary>
          <ul class="lines">
            {charges.map(({ id, name, date, amount }) => (
              <li key={id}>
                <bdi>{name}</bdi>
                <span class="muted">{date === undefined ? '' : dayText(date)}</span>
                <span>{moneyText(amount, currency)}</span>
              </li>
            ))}
            {payments.map(({ id, kind, status, amount }) => (
              <li key={id}>
                <span>{messages.paymentKind[kind]}</span>
                <span class="muted">{status === 'pending' ? messages.onItsWay : ''}</span>
                <span>{moneyText(amount, currency)}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </Shown>
  );
}
