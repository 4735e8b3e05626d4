import { useState } from 'preact/hooks';
import { usePart } from '../state/use-part.js';
import { startSharing, stopSharing } from './share-location.js';

/** Nothing is asked of the browser, and nothing sent, before the person has read what for and agreed. */
export function SharingCard() {
  const { on, sent, everyS } = usePart((state) => state.sharing);
  const [agreed, setAgreed] = useState(false);
  return (
    <section class="card" aria-labelledby="sharing-title">
      <details class="sharing">
        <summary>
          <h2 id="sharing-title">Share your location</h2>
        </summary>
        <p class="muted">
          Your positions go to this server in batches, as often as it asks for them. They make speeds and
          closures of roads known to all; nobody else is shown where you are. You may stop at any time.
        </p>
        {!on && (
          <label class="check">
            <input
              type="checkbox"
              checked={agreed}
              onChange={(event) => setAgreed(event.currentTarget.checked)}
            />
            <span>I agree</span>
          </label>
        )}
        <div class="button-row">
          <button
            type="button"
            class="main-button quiet"
            aria-pressed={on}
            disabled={!on && !agreed}
            onClick={on ? stopSharing : startSharing}
          >
            {on ? 'Stop sharing' : 'Start sharing'}
          </button>
        </div>
        <p class="muted" role="status">
          {sent > 0 ? `${sent} positions sent.` : ''}
          {on && everyS !== null ? ` The server asks for a batch every ${everyS} s.` : ''}
        </p>
      </details>
    </section>
  );
}
