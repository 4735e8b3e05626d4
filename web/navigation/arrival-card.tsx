import { distanceText } from '../format/format.js';
import type { Trip } from '../state/navigation-state.js';
import { usePart } from '../state/use-part.js';
import { Icon } from '../ui/icon.js';
import { Warnings } from '../ui/warnings.js';
import { DoneButton } from './done-button.js';
import * as messages from './messages.js';

/** The end of a drive: where, how far it was, and the way back to planning. */
export function ArrivalCard({ trip }: { trip: Trip }) {
  const units = usePart((state) => state.units);
  const drivenM = usePart((state) => state.drivenM);
  const name = usePart((state) => state.end?.name);
  return (
    <section class="card arrival" aria-label={messages.navigation} aria-live="polite">
      <p class="headline">
        <Icon name="arrive" /> <strong>{messages.arrived}</strong>
      </p>
      {name !== undefined && <p class="arrival-place">{name}</p>}
      <p class="muted">{messages.drove(distanceText(drivenM, units))}</p>
      <Warnings texts={trip.warnings} />
      <DoneButton />
    </section>
  );
}
