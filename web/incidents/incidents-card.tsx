import { app } from '../state/state.js';
import { usePart } from '../state/use-part.js';
import { Icon } from '../ui/icon.js';
import { closeRoadButtonId } from './closure-form.js';
import { IncidentList } from './incident-list.js';

export function IncidentsCard() {
  const incidents = usePart((state) => state.incidents);
  const closing = usePart((state) => state.tool === 'close');
  return (
    <section class="card" aria-labelledby="incidents-title">
      <div class="card-head">
        <h2 id="incidents-title">
          Roads <span class="count">{incidents.length}</span>
        </h2>
        <button
          type="button"
          id={closeRoadButtonId}
          class="chip-button"
          aria-pressed={closing}
          onClick={() => app.set({ tool: closing ? 'route' : 'close', picked: null })}
        >
          <Icon name="barrier" /> {closing ? 'Click a road…' : 'Close a road'}
        </button>
      </div>
      <IncidentList incidents={incidents} />
      <ul class="legend" aria-label="Colours of the map">
        <li class="legend-low">flowing</li>
        <li class="legend-moderate">slower</li>
        <li class="legend-severe">jammed</li>
        <li class="legend-closed">closed</li>
        <li class="legend-driver legend-navigating">navigating</li>
      </ul>
    </section>
  );
}
