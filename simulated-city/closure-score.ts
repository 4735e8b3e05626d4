import type { Incident } from '#schemas/http/incidents.js';
import type { HiddenClosure, SimulationTruth } from '#schemas/http/simulation.js';
import { type Due, isDue } from './is-due.js';

const minuteMs = 60_000;
/** A closure that has just ended may still be listed as new: its evidence was in flight. */
const afterwardsMs = minuteMs;
/** An edge that ends so near to the closed one is taken for it: phones are wrong by four metres and more. */
const besideM = 25;
const metresPerDegree = 111_195;

export interface ScoreRules {
  /** Closures that begin earlier than this after the first poll are not counted. */
  readonly warmUpMs: number;
  /** A closure must be found if its road had this many passages a minute before, see `isDue`. */
  readonly busyPerMinute: number;
  readonly foundWithinMs: number;
}

export interface FalseClosure {
  readonly incidentId: string;
  readonly edge: string;
  readonly road: string;
  readonly atMs: number;
  readonly evidence: string;
}

export interface ClosureScore {
  /** Detected closures that the first poll found. They are not evaluated. */
  readonly before: number;
  /** Those listed since. */
  readonly listed: number;
  readonly true: number;
  /** Listed on an edge that ends just before the closed one; counted neither as true nor as false. */
  readonly beside: number;
  readonly false: readonly FalseClosure[];
  /** Hidden closures that began after the first poll, and how many of them were ever listed. */
  readonly hidden: number;
  readonly hiddenListed: number;
  /** Busy ones that began after the warm-up and early enough to be found in time. */
  readonly busy: {
    readonly closures: number;
    readonly inTime: number;
    readonly medianDelayS: number | undefined;
    readonly late: readonly {
      readonly edge: string;
      readonly fromMs: number;
      readonly passagesPerMinute: number;
      /** Drivers who came to it. */
      readonly turnedBack: number;
      readonly delayS: number | undefined;
    }[];
  };
}

interface Known {
  /** As it was when it was found or should have been. */
  closure: HiddenClosure;
  foundMs?: number;
}

/** Compares the closures that a platform lists with the truth, poll by poll. */
export class ClosureScorer {
  readonly #rules: ScoreRules;
  readonly #hidden = new Map<string, Known>();
  readonly #seen = new Set<string>();
  readonly #false: FalseClosure[] = [];
  #firstMs: number | undefined;
  #lastMs = 0;
  #before = 0;
  #true = 0;
  #beside = 0;

  constructor(rules: ScoreRules) {
    this.#rules = rules;
  }

  /** One sample. The truth is queried after the incidents, so that no closure is younger than its listing. */
  look(incidents: readonly Incident[], truth: SimulationTruth): void {
    const isFirst = this.#firstMs === undefined;
    this.#firstMs ??= truth.now_ms;
    this.#lastMs = truth.now_ms;
    for (const closure of truth.closures) {
      const key = `${closure.edges[0]}@${closure.from_ms}`;
      const known = this.#hidden.get(key);
      if (known === undefined) this.#hidden.set(key, { closure });
      else if (truth.now_ms <= this.#watchedUntilMs(known)) known.closure = closure;
    }
    for (const incident of incidents) {
      if (incident.source !== 'detected' || incident.kind !== 'closed' || !incident.active) continue;
      if (this.#seen.has(incident.incident_id)) continue;
      this.#seen.add(incident.incident_id);
      // What was listed before may be of an earlier life of the platform, and its truth is gone.
      if (isFirst) this.#before++;
      else this.#judge(incident, truth.now_ms);
    }
  }

  get result(): ClosureScore {
    const { warmUpMs, busyPerMinute, foundWithinMs } = this.#rules;
    const firstMs = this.#firstMs ?? 0;
    const hidden = [...this.#hidden.values()].filter(({ closure }) => closure.from_ms >= firstMs);
    const toFind = hidden.filter(
      (known) =>
        known.closure.from_ms >= firstMs + warmUpMs &&
        known.closure.from_ms + foundWithinMs <= this.#lastMs &&
        isDue(this.#due(known), busyPerMinute),
    );
    const delayMs = ({ closure, foundMs }: Known): number | undefined =>
      foundMs === undefined ? undefined : foundMs - closure.from_ms;
    const isInTime = (known: Known): boolean => (delayMs(known) ?? Number.POSITIVE_INFINITY) <= foundWithinMs;
    const inTime = toFind.filter(isInTime);
    const delays = inTime.map((known) => delayMs(known)!).toSorted((a, b) => a - b);
    return {
      ...{
        before: this.#before,
        listed: this.#seen.size - this.#before,
        true: this.#true,
        beside: this.#beside,
        false: this.#false,
      },
      hidden: hidden.length,
      hiddenListed: hidden.filter(({ foundMs }) => foundMs !== undefined).length,
      busy: {
        closures: toFind.length,
        inTime: inTime.length,
        medianDelayS: delays.length === 0 ? undefined : Math.round(delays[delays.length >> 1]! / 1_000),
        late: toFind
          .filter((known) => !isInTime(known))
          .map((known) => ({
            edge: known.closure.edges[0]!,
            fromMs: known.closure.from_ms,
            passagesPerMinute: known.closure.passages_per_minute,
            turnedBack: known.closure.turned_back,
            delayS: known.foundMs === undefined ? undefined : Math.round(delayMs(known)! / 1_000),
          })),
      },
    };
  }

  #watchedUntilMs({ closure, foundMs = Number.POSITIVE_INFINITY }: Known): number {
    return Math.min(foundMs, closure.from_ms + this.#rules.foundWithinMs);
  }

  #due(known: Known): Due {
    const { from_ms: fromMs, passages_per_minute: beforePerMinute, turned_back: turnedBack } = known.closure;
    return { beforePerMinute, turnedBack, watchedMs: this.#watchedUntilMs(known) - fromMs };
  }

  #judge(incident: Incident, nowMs: number): void {
    const holds = [...this.#hidden.values()].filter(
      ({ closure }) => closure.from_ms <= nowMs && nowMs <= closure.until_ms + afterwardsMs,
    );
    const itself = holds.find(({ closure }) => incident.edge_ids.some((id) => closure.edges.includes(id)));
    if (itself !== undefined) {
      this.#true++;
      itself.foundMs ??= nowMs;
    } else if (holds.some(({ closure }) => isBefore(incident, closure))) this.#beside++;
    else
      this.#false.push({
        incidentId: incident.incident_id,
        edge: incident.edge_ids[0] ?? '',
        road: incident.road,
        atMs: nowMs,
        evidence: incident.evidence,
      });
  }
}

/** The incident's edge is short and ends where a closed one begins, or a few metres before. */
function isBefore({ geometry }: Incident, { lines }: HiddenClosure): boolean {
  return geometry.coordinates.some((line) => {
    const places = line.map(([lng, lat]) => [lat!, lng!] as const);
    const lengthM = places.slice(1).reduce((sum, place, i) => sum + metres(places[i]!, place), 0);
    const end = places.at(-1);
    if (end === undefined) return false;
    return lines.some(([begin]) => begin !== undefined && lengthM + metres(end, begin) <= besideM);
  });
}

function metres([latA = 0, lngA = 0]: readonly number[], [latB = 0, lngB = 0]: readonly number[]): number {
  const east = (lngB - lngA) * Math.cos((latA * Math.PI) / 180);
  return metresPerDegree * Math.hypot(latB - latA, east);
}
