import { closesDriving, type IncidentChanged } from '#schemas/messages.js';
import * as limits from '../http/limits.js';

/**
 * Incidents that are valid now, read from the beginning of the compacted topic. An incident ends by its
 * record or by the clock, whichever comes first.
 */
export class IncidentStore {
  readonly #incidents = new Map<string, IncidentChanged>();
  readonly #nowMs: () => number;
  #revision = 0;
  /** Computed on demand; undefined once an incident has changed. */
  #closed: { readonly edgeIds: ReadonlySet<string>; readonly untilMs: number } | undefined;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  get full(): boolean {
    if (this.#incidents.size < limits.incidentsMax) return false;
    this.#expire();
    return this.#incidents.size >= limits.incidentsMax;
  }

  /** Another number once an incident has changed or ended. */
  get revision(): number {
    this.#expire();
    return this.#revision;
  }

  apply(record: IncidentChanged): void {
    this.#closed = undefined;
    this.#revision++;
    if (!record.active) this.#incidents.delete(record.incidentId);
    else if (this.#incidents.has(record.incidentId) || !this.full)
      this.#incidents.set(record.incidentId, record);
  }

  find(incidentId: string): IncidentChanged | undefined {
    const incident = this.#incidents.get(incidentId);
    return incident === undefined || this.#isOver(incident) ? undefined : incident;
  }

  /** Edges that an active incident closes for driving, by the names in its record. */
  closedEdges(): ReadonlySet<string> {
    if (this.#closed === undefined || this.#nowMs() >= this.#closed.untilMs) {
      const closures = this.active().filter(({ kind }) => closesDriving(kind));
      const ends = closures.map(({ expiresMs }) => expiresMs).filter((ms) => ms !== 0);
      this.#closed = {
        edgeIds: new Set(closures.flatMap(({ edgeIds }) => edgeIds)),
        untilMs: ends.reduce((first, ms) => Math.min(first, ms), Number.POSITIVE_INFINITY),
      };
    }
    return this.#closed.edgeIds;
  }

  /** Newest first. */
  active(): IncidentChanged[] {
    this.#expire();
    return [...this.#incidents.values()].toSorted((a, b) => b.startedMs - a.startedMs);
  }

  #expire(): void {
    for (const [id, incident] of this.#incidents)
      if (this.#isOver(incident)) {
        this.#incidents.delete(id);
        this.#revision++;
      }
  }

  #isOver({ expiresMs }: IncidentChanged): boolean {
    return expiresMs !== 0 && expiresMs <= this.#nowMs();
  }
}
