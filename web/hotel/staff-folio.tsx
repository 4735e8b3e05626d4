import type { FolioView } from '#schemas/http/hotel-folio.js';
import { askAs } from './calls.js';
import { Shown } from './frame.js';
import { messages } from './staff-messages.js';
import { dayText, moneyText } from './texts.js';
import { useLoaded } from './use-loaded.js';

interface FolioProps {
  /** The address of the reservation's operations. */
  readonly path: string;
  /** Changes with the reservation, and loads the folio again. */
  readonly version: string;
  /** Of the reservation. */
  readonly rooms: number;
}

/** What a stay costs and what was paid for it. */
export function StaffFolio({ path, version, rooms }: FolioProps) {
  const [folio] = useLoaded(`${path} ${version}`, () => askAs<FolioView>('desk', `${path}/folio`));
  return (
    <Shown state={folio}>
      {({ charges, payments, totals, currency }) => (
        <details class="turns">
          <summary>{messages.balance(moneyText(totals.balance, currency))}</summary>
          <ul class="lines">
            {charges.map(({ id, kind, name, date, amount }) => (
              <li key={id}>
                <bdi>{messages.charge(kind, name, rooms)}</bdi>
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
