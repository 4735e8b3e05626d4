import { useEffect, useState } from 'preact/hooks';
import type { Incident } from '#schemas/http/incidents.js';
import { remainingText } from '../format/format.js';
import { app } from '../state/state.js';
import { usePart } from '../state/use-part.js';
import { openAgain } from './closures.js';
import * as messages from './messages.js';
import { type Street, streetsOf } from './streets.js';

/** Streets that are listed before all of them are asked for. */
const shownFirst = 4;

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

function Evidence({ incident, now }: { incident: Incident; now: number }) {
  const remaining = remainingText(incident.expires_at, now);
  return (
    <span class="muted">
      <span class={`tag tag-${incident.source}`}>{messages.sources[incident.source]}</span>{' '}
      {incident.evidence}
      {remaining === null ? '' : ` · ${messages.timeLeft(remaining)}`}
    </span>
  );
}

function Reopen({ incident }: { incident: Incident }) {
  return (
    <button
      type="button"
      class="link-button"
      aria-label={messages.reopenRoad(messages.roadName(incident.road))}
      onClick={() => void openAgain(incident)}
    >
      {messages.reopen}
    </button>
  );
}

/** One street: its newest incident, and the others of it when they are asked for. */
function StreetRow({ street: { incidents }, now }: { street: Street; now: number }) {
  const [newest, ...others] = incidents;
  const lookAt = incidents
    .flatMap(({ geometry }) => geometry.coordinates.flat())
    .map(([lng = 0, lat = 0]): [number, number] => [lng, lat]);
  return (
    <li class="incident">
      <div class="incident-text">
        <button
          type="button"
          class="name-button"
          title={messages.showOnMap}
          onClick={() => app.set({ lookAt })}
        >
          {title(newest)}
        </button>
        <Evidence incident={newest} now={now} />
        {others.length > 0 && (
          <details class="incident-others">
            <summary>{messages.places(incidents.length)}</summary>
            <ul>
              {others.map((incident) => (
                <li key={incident.incident_id}>
                  <Evidence incident={incident} now={now} />
                  <Reopen incident={incident} />
                </li>
              ))}
            </ul>
          </details>
        )}
      </div>
      <Reopen incident={newest} />
    </li>
  );
}

export function IncidentList({ incidents }: { incidents: readonly Incident[] }) {
  const now = useSeconds();
  const all = usePart((state) => state.open === 'closures');
  if (incidents.length === 0) return <p class="muted">{messages.noIncidents}</p>;
  const streets = streetsOf(incidents);
  return (
    <>
      <ul class="incidents">
        {streets.slice(0, all ? streets.length : shownFirst).map((street) => (
          <StreetRow key={street.incidents[0].incident_id} street={street} now={now} />
        ))}
      </ul>
      {streets.length > shownFirst && (
        <button
          type="button"
          class="link-button"
          aria-expanded={all}
          onClick={() => app.set({ open: all ? null : 'closures' })}
        >
          {all ? messages.showFewer : messages.showAll(streets.length)}
        </button>
      )}
    </>
  );
}
