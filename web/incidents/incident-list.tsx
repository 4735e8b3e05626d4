import { useEffect, useState } from 'preact/hooks';
import type { Incident } from '#schemas/http/incidents.js';
import { remainingText } from '../format/format.js';
import { app } from '../state/state.js';
import { openAgain } from './closures.js';
import * as messages from './messages.js';

function useSeconds(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

function title({ kind, road: given, speed_kph }: Incident): string {
  const road = messages.roadName(given);
  if (kind !== 'slow') return road;
  return speed_kph === undefined ? messages.slow(road) : messages.slowSpeed(road, Math.round(speed_kph));
}

export function IncidentList({ incidents }: { incidents: readonly Incident[] }) {
  const now = useSeconds();
  if (incidents.length === 0) return <p class="muted">{messages.noIncidents}</p>;
  return (
    <ul class="incidents">
      {incidents.map((incident) => {
        const remaining = remainingText(incident.expires_at, now);
        return (
          <li key={incident.incident_id} class="incident">
            <div class="incident-text">
              <button
                type="button"
                class="name-button"
                title={messages.showOnMap}
                onClick={() =>
                  app.set({
                    lookAt: incident.geometry.coordinates.flat().map(([lng = 0, lat = 0]) => [lng, lat]),
                  })
                }
              >
                {title(incident)}
              </button>
              <span class="muted">
                <span class={`tag tag-${incident.source}`}>{incident.source}</span> {incident.evidence}
                {remaining === null ? '' : ` · ${messages.timeLeft(remaining)}`}
              </span>
            </div>
            <button
              type="button"
              class="link-button"
              aria-label={messages.reopenRoad(messages.roadName(incident.road))}
              onClick={() => void openAgain(incident)}
            >
              {messages.reopen}
            </button>
          </li>
        );
      })}
    </ul>
  );
}
