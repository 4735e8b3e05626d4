import { useEffect, useState } from 'preact/hooks';
import { durationText } from '../format/format.js';
import { type Reroute, shownTrip } from '../state/navigation-state.js';
import { usePart } from '../state/use-part.js';
import { Icon } from '../ui/icon.js';
import * as messages from './messages.js';

const showMs = 20_000;

/** The time saved by the new route. */
function gain({ savesS, reason }: Reroute): string {
  if (savesS === null) return messages.detour(reason);
  return savesS >= 1 ? messages.fasterRoute(durationText(savesS)) : messages.betterRoute;
}

/** Announces a reroute: its reason, evidence, time saved and delay. */
export function RerouteBanner() {
  const reroute = usePart((state) => shownTrip(state.navigation)?.reroute ?? null);
  const [dismissed, setDismissed] = useState<Reroute | null>(null);
  useEffect(() => {
    if (reroute === null) return;
    const timer = setTimeout(() => setDismissed(reroute), showMs);
    return () => clearTimeout(timer);
  }, [reroute]);

  return (
    <div class="banner-place" role="status" aria-live="assertive">
      {reroute !== null && reroute !== dismissed && (
        <div class="banner" data-testid="reroute">
          <div class="banner-text">
            <strong>{gain(reroute)}</strong>
            {reroute.savesS !== null && <span>{reroute.reason}</span>}
            <span class="banner-small">{reroute.evidence}</span>
            <span class="banner-time">{messages.causeToYou(Math.round(reroute.causeToPushMs))}</span>
          </div>
          <button
            type="button"
            class="icon-button"
            aria-label={messages.dismiss}
            onClick={() => setDismissed(reroute)}
          >
            <Icon name="close" />
          </button>
        </div>
      )}
    </div>
  );
}
