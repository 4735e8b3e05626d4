import { useState } from 'preact/hooks';
import type { DeedBody } from '#schemas/http/finance-audit.js';
import { Shown } from '../hotel/frame.js';
import { timeText } from '../hotel/texts.js';
import { addressOf } from '../hotel/use-address.js';
import { useLoaded } from '../hotel/use-loaded.js';
import { Wide } from '../hotel/wide.js';
import { messages } from './finance-messages.js';
import { movedText } from './moved-text.js';
import { PageButtons } from './page-buttons.js';
import { auditPath } from './paths.js';
import { askAsPerson } from './person.js';

interface Page {
  readonly deeds: readonly DeedBody[];
  readonly next: string | null;
}

/** Who did what about money, newest first; of everybody or of one person. */
export function AuditPage({ person }: { readonly person: string }) {
  const [who, setWho] = useState('');
  const [before, setBefore] = useState<string>();
  const query = new URLSearchParams({
    ...(who === '' ? {} : { who }),
    ...(before === undefined ? {} : { before }),
  });
  const [page] = useLoaded(`${person} ${query}`, () => askAsPerson<Page>(person, `${auditPath}?${query}`));
  return (
    <section>
      <h2>{messages.audit}</h2>
      <div class="card finding">
        <label class="field">
          <span>{messages.auditWho}</span>
          <input
            type="text"
            maxLength={128}
            value={who}
            onChange={(event) => {
              setBefore(undefined);
              setWho(event.currentTarget.value.trim());
            }}
          />
        </label>
      </div>
      <Shown state={page}>
        {({ deeds, next }) => (
          <>
            {deeds.length === 0 ? <p class="muted">{messages.noDeeds}</p> : <DeedTable deeds={deeds} />}
            <PageButtons
              onNewest={before === undefined ? undefined : () => setBefore(undefined)}
              onOlder={next === null ? undefined : () => setBefore(next)}
            />
          </>
        )}
      </Shown>
    </section>
  );
}

function DeedTable({ deeds }: { readonly deeds: readonly DeedBody[] }) {
  return (
    <Wide label={messages.audit}>
      <table class="table">
        <thead>
          <tr>
            {messages.auditColumns.map((title) => (
              <th key={title}>{title}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {deeds.map((deed) => (
            <tr key={`${deed.action} ${deed.subject}`}>
              <td>{timeText(deed.at)}</td>
              <td class="account">{deed.who}</td>
              <td>{messages.deeds[deed.action]}</td>
              <td>{movedText(deed)}</td>
              <td class="account">
                {deed.payment_order_id === null ? (
                  deed.seller_account
                ) : (
                  <a href={addressOf('payments', deed.payment_order_id)}>{deed.payment_order_id}</a>
                )}
              </td>
              <td class="reason">{deed.reason}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Wide>
  );
}
