import { useEffect, useState } from 'preact/hooks';
import { durationText } from '../format/format.js';
import { type Reroute, shownTrip } from '../state/navigation-state.js';
import { usePart } from '../state/use-part.js';
import { Icon } from '../ui/icon.js';

const showMs = 20_000;

/** What was gained, in the words of the moment. */
function gain({ savesS, reason }: Reroute): string {
  if (savesS === null) return `${reason}: here is the way around`;
  return savesS >= 1 ? `Faster route, saves ${durationText(savesS)}` : 'A better route';
}

/** Says a reroute aloud and on the screen: why, on what evidence, what it saves, and how quickly it came. */
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
            <span class="banner-time">{Math.round(reroute.causeToPushMs)} ms from cause to you</span>
          </div>
          <button
            type="button"
            class="icon-button"
            aria-label="Dismiss"
            onClick={() => setDismissed(reroute)}
          >
            <Icon name="close" />
          </button>
        </div>
      )}
    </div>
  );
}
