import type { Incident } from '#schemas/http/incidents.js';
import type { SimulationTruth } from '#schemas/http/simulation.js';

/** A driver and an edge that had been listed as closed for ten seconds or more. */
export interface OnListed {
  readonly driver: string;
  readonly edge: string;
  readonly listedForS: number;
}

export interface RerouteScore {
  /** Routes that drivers received on the way. */
  readonly frames: number;
  /** By the true speeds and closures, the new route was quicker than the one before. */
  readonly right: number;
  /** It was not. */
  readonly useless: number;
  /** It led to a closed road, as the one before did or not; the closure may not have been known. */
  readonly blocked: number;
  /** It came more than ten seconds after a road on the route before was listed as closed. */
  readonly late: number;
  /** It led over such an edge. */
  readonly overListed: readonly OnListed[];
  /** Guided drivers who stood before a closed road. */
  readonly barriers: number;
  /** They stood before such an edge: a reroute was missing or late. */
  readonly missing: readonly OnListed[];
}

/** Time from a listed closure to the frame at the driver that may pass, with that of two polls. */
const rerouteMs = 10_000;

/** Compares the reroutes of guided drivers and the barriers that they met with truth and listed closures. */
export class RerouteScorer {
  readonly #listedMs = new Map<string, number>();
  readonly #seen = new Set<string>();
  readonly #counts = { frames: 0, right: 0, useless: 0, blocked: 0, late: 0, barriers: 0 };
  readonly #overListed: OnListed[] = [];
  readonly #missing: OnListed[] = [];

  /** `incidents` were queried at `truth.now_ms` or just before. */
  look(incidents: readonly Incident[], { now_ms, reroutes, barriers }: SimulationTruth): void {
    const closed = new Set(
      incidents.filter(({ active, kind }) => active && kind === 'closed').flatMap(({ edge_ids }) => edge_ids),
    );
    // What has been opened since the last poll proves nothing of the time between.
    for (const edge of this.#listedMs.keys()) if (!closed.has(edge)) this.#listedMs.delete(edge);
    for (const edge of closed) if (!this.#listedMs.has(edge)) this.#listedMs.set(edge, now_ms);
    for (const reroute of reroutes)
      if (this.#isNew(`${reroute.driver} ${reroute.at_ms}`)) this.#judge(reroute);
    for (const { driver, edge, at_ms } of barriers) {
      if (!this.#isNew(`${driver} ${at_ms} barrier`)) continue;
      this.#counts.barriers++;
      const listedForS = this.#listedForS(edge, at_ms);
      if (listedForS !== undefined) this.#missing.push({ driver, edge, listedForS });
    }
  }

  get result(): RerouteScore {
    return { ...this.#counts, overListed: this.#overListed, missing: this.#missing };
  }

  #judge({ driver, at_ms, before, after }: SimulationTruth['reroutes'][number]): void {
    const counts = this.#counts;
    counts.frames++;
    if (after.duration_s === null) counts.blocked++;
    else if (before.duration_s === null || after.duration_s < before.duration_s) counts.right++;
    else counts.useless++;
    if (before.edges.some((edge) => this.#listedForS(edge, at_ms) !== undefined)) counts.late++;
    for (const edge of after.edges) {
      const listedForS = this.#listedForS(edge, at_ms);
      if (listedForS !== undefined) this.#overListed.push({ driver, edge, listedForS });
    }
  }

  /** Undefined below ten seconds. */
  #listedForS(edge: string, atMs: number): number | undefined {
    const listedForMs = atMs - (this.#listedMs.get(edge) ?? atMs);
    return listedForMs >= rerouteMs ? listedForMs / 1_000 : undefined;
  }

  #isNew(key: string): boolean {
    if (this.#seen.has(key)) return false;
    this.#seen.add(key);
    return true;
  }
}
