import { app } from '../state/state.js';
import { usePart } from '../state/use-part.js';
import { Icon } from '../ui/icon.js';
import { closeRoadButtonId } from './closure-form.js';
import { IncidentList } from './incident-list.js';
import * as messages from './messages.js';

export function IncidentsCard() {
  const incidents = usePart((state) => state.incidents);
  const closing = usePart((state) => state.tool === 'close');
  return (
    <section class="card" aria-labelledby="incidents-title">
      <div class="card-head">
        <h2 id="incidents-title">
          {messages.incidents} <span class="count">{incidents.length}</span>
        </h2>
        <button
          type="button"
          id={closeRoadButtonId}
          class="chip-button"
          aria-pressed={closing}
          onClick={() => app.set({ tool: closing ? 'route' : 'close', picked: null })}
        >
          <Icon name="barrier" /> {closing ? messages.clickRoad : messages.closeRoad}
        </button>
      </div>
      <ul class="legend" aria-label={messages.legend}>
        <li class="legend-low">{messages.flowing}</li>
        <li class="legend-moderate">{messages.slower}</li>
        <li class="legend-severe">{messages.jammed}</li>
        <li class="legend-closed">{messages.closed}</li>
        <li class="legend-driver legend-navigating">{messages.navigating}</li>
      </ul>
      <IncidentList incidents={incidents} />
    </section>
  );
}
