import { useState } from 'preact/hooks';
import { usePart } from '../state/use-part.js';
import * as messages from './messages.js';
import { startSharing, stopSharing } from './share-location.js';

/**
 * Nothing is requested from the browser, and nothing sent, before the person has read the purpose and agreed.
 */
export function SharingCard() {
  const { on, sent, everyS } = usePart((state) => state.sharing);
  const [agreed, setAgreed] = useState(false);
  return (
    <section class="card" aria-labelledby="sharing-title">
      <details class="sharing">
        <summary>
          <h2 id="sharing-title">{messages.title}</h2>
        </summary>
        <p class="muted">{messages.terms}</p>
        {!on && (
          <label class="check">
            <input
              type="checkbox"
              checked={agreed}
              onChange={(event) => setAgreed(event.currentTarget.checked)}
            />
            <span>{messages.agree}</span>
          </label>
        )}
        <div class="button-row">
          <button
            type="button"
            class="main-button quiet"
            aria-pressed={on}
            disabled={!on && !agreed}
            onClick={() => (on ? stopSharing() : void startSharing())}
          >
            {on ? messages.stop : messages.start}
          </button>
        </div>
        <p class="muted" role="status">
          {sent > 0 ? messages.sent(sent) : ''}
          {on && everyS !== null ? ` ${messages.interval(everyS)}` : ''}
        </p>
      </details>
    </section>
  );
}
