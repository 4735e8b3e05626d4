import { render } from 'preact';
import { useState } from 'preact/hooks';
import '../style/tokens.css';
import '../style/panel.css';
import '../hotel/stay.css';
import './payment.css';
import { Frame } from '../hotel/frame.js';
import { addressOf, useAddress } from '../hotel/use-address.js';
import { DeadLetters } from './dead-letters.js';
import { DisputesPage } from './disputes-page.js';
import * as messages from './finance-messages.js';
import { FindingsPage } from './findings-page.js';
import { PayoutsPage } from './payouts-page.js';
import { ReviewsPage } from './reviews-page.js';

const links = [
  [messages.mismatches, addressOf('findings')],
  [messages.reviews, addressOf('reviews')],
  [messages.deadLetters, addressOf('letters')],
  [messages.disputes, addressOf('disputes')],
  [messages.payouts, addressOf('payouts')],
] as const;

function Finance() {
  const [place = 'findings'] = useAddress();
  const [person, setPerson] = useState('demo-finance');
  return (
    <Frame brand={messages.brand} links={links} here={addressOf(place)}>
      <div class="finance-who">
        <label class="field">
          <span>{messages.signedInAs}</span>
          <select value={person} onChange={(event) => setPerson(event.currentTarget.value)}>
            <option value="demo-finance">demo-finance</option>
            <option value="demo-controller">demo-controller</option>
          </select>
        </label>
      </div>
      {place === 'letters' ? (
        <DeadLetters person={person} />
      ) : place === 'reviews' ? (
        <ReviewsPage person={person} />
      ) : place === 'disputes' ? (
        <DisputesPage person={person} />
      ) : place === 'payouts' ? (
        <PayoutsPage person={person} />
      ) : (
        <FindingsPage person={person} />
      )}
    </Frame>
  );
}

render(<Finance />, document.getElementById('page') as HTMLElement);
