import type { Incident } from '#schemas/http/incidents.js';

/** The incidents of one street, newest first; never empty. */
export interface Street {
  readonly road: string;
  readonly incidents: readonly [Incident, ...Incident[]];
}

const newestFirst = (a: Incident, b: Incident): number => b.started_at.localeCompare(a.started_at);

/** Incidents by street, the street with the newest one first; roads without a name are one street each. */
export function streetsOf(incidents: readonly Incident[]): Street[] {
  const streets = new Map<string, [Incident, ...Incident[]]>();
  for (const incident of incidents.toSorted(newestFirst)) {
    const key = incident.road === '' ? `unnamed ${incident.incident_id}` : incident.road;
    const known = streets.get(key);
    if (known === undefined) streets.set(key, [incident]);
    else known.push(incident);
  }
  return [...streets.values()].map((found) => ({ road: found[0].road, incidents: found }));
}
