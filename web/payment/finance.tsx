import { type FunctionComponent, render } from 'preact';
import { useState } from 'preact/hooks';
import '../style/tokens.css';
import '../style/panel.css';
import '../hotel/stay.css';
import './payment.css';
import { Frame } from '../hotel/frame.js';
import { addressOf, useAddress } from '../hotel/use-address.js';
import { language } from '../language/language.js';
import { useProvider } from '../sign-in/use-provider.js';
import { AuditPage } from './audit-page.js';
import { BalancesPage } from './balances-page.js';
import { DeadLetters } from './dead-letters.js';
import { DisputesPage } from './disputes-page.js';
import { messages } from './finance-messages.js';
import { FindingsPage } from './findings-page.js';
import { PaymentPage } from './payment-page.js';
import { PaymentsPage } from './payments-page.js';
import { PayoutsPage } from './payouts-page.js';
import { ReviewsPage } from './reviews-page.js';

const links = [
  [messages.payments, addressOf('payments')],
  [messages.mismatches, addressOf('findings')],
  [messages.reviews, addressOf('reviews')],
  [messages.deadLetters, addressOf('letters')],
  [messages.disputes, addressOf('disputes')],
  [messages.payouts, addressOf('payouts')],
  [messages.balances, addressOf('balances')],
  [messages.audit, addressOf('audit')],
] as const;

const pages: ReadonlyMap<string, FunctionComponent<{ readonly person: string }>> = new Map([
  ['payments', PaymentsPage],
  ['findings', FindingsPage],
  ['reviews', ReviewsPage],
  ['letters', DeadLetters],
  ['disputes', DisputesPage],
  ['payouts', PayoutsPage],
  ['balances', BalancesPage],
  ['audit', AuditPage],
]);

function Finance() {
  const [place = 'findings', id] = useAddress();
  const [person, setPerson] = useState('demo-finance');
  // The development issuer takes any name; elsewhere the head of the page says who signed in.
  const isSignedIn = useProvider() !== null;
  const Page = pages.get(place) ?? FindingsPage;
  return (
    <Frame brand={messages.brand} links={links} here={addressOf(place)}>
      {!isSignedIn && (
        <div class="finance-who">
          <label class="field">
            <span>{messages.signedInAs}</span>
            <select value={person} onChange={(event) => setPerson(event.currentTarget.value)}>
              <option value="demo-finance">demo-finance</option>
              <option value="demo-controller">demo-controller</option>
            </select>
          </label>
        </div>
      )}
      {place === 'payments' && id !== undefined ? (
        <PaymentPage key={id} id={id} person={person} />
      ) : (
        <Page person={person} />
      )}
    </Frame>
  );
}

document.documentElement.lang = language;
document.title = `Meridian ${messages.brand}`;
render(<Finance />, document.getElementById('page') as HTMLElement);
