import { binOfWeek, binsPerWeek } from '#routing-engine/network/typical-week.js';
import { robustPace } from '../traffic/robust-pace.js';

const paneMs = 1_800_000;
const dayMs = 86_400_000;
/** Stored passages of one half-hour; more add nothing. */
const panePassagesMax = 32;
/**
 * Weight of the difference between days, as a number of passages: a half-hour is no more certain than its
 * day.
 */
const dayPassages = 5;
/** Weight of a half-hour with very many drivers. */
const paneWeight = 50;
const weightMax = 250;
/** Weight of the previous week relative to a new one. */
const weekKept = 0.8;
const ratioScale = 4_096;
const ratioMax = 15.9;
const deviationsMax = 4;
/** Late passages that an edge remembers, so that a driver corrects a half hour once. */
const lateKept = 16;

/** The current half-hour: one pane of the week. */
interface Pane {
  readonly index: number;
  readonly drivers: number[];
  readonly ratios: number[];
}

/**
 * The typical week of one edge. Passages of each half-hour are collected in a pane; when it is over, its
 * robust mean updates the bin of that half-hour of the week. Ratios are multiples of the free-flow duration.
 */
export class EdgeWeek {
  /** [bins] ratio × 4,096. */
  readonly means: Uint16Array;
  /** [bins] 0 where nothing is known. */
  readonly weights: Uint8Array;
  pane: Pane | undefined;
  /** The last that were late: index of the half hour, and driver, in turns. */
  #late: readonly number[] = [];
  /** Distinct drivers of a day, one bit each where no two share one: never more bits than drivers. */
  #day = -1;
  #seen = 0;
  /** Largest proven number of distinct drivers in one day. */
  driversOfADay = 0;
  heardMs = 0;

  constructor(means = new Uint16Array(binsPerWeek), weights = new Uint8Array(binsPerWeek)) {
    this.means = means;
    this.weights = weights;
  }

  /** One passage by its own time; one that is hours late corrects its half hour by itself. */
  add(driver: number, leftMs: number, ratio: number): void {
    const index = Math.floor(leftMs / paneMs);
    const bounded = Math.min(ratioMax, Math.max(0.25, ratio));
    this.heardMs = Math.max(this.heardMs, leftMs);
    this.#count(driver, leftMs);
    if (this.pane === undefined || index > this.pane.index) {
      this.close();
      this.pane = { index, drivers: [driver], ratios: [bounded] };
    } else if (index < this.pane.index) {
      if (this.#isLateAgain(index, driver)) return;
      this.#fold(index, bounded, 1);
    } else if (this.pane.ratios.length < panePassagesMax && !this.pane.drivers.includes(driver)) {
      this.pane.drivers.push(driver);
      this.pane.ratios.push(bounded);
    }
  }

  #isLateAgain(index: number, driver: number): boolean {
    for (let i = 0; i < this.#late.length; i += 2)
      if (this.#late[i] === index && this.#late[i + 1] === driver) return true;
    this.#late = [...this.#late, index, driver].slice(-2 * lateKept);
    return false;
  }

  /** The half hour is over. */
  close(): void {
    if (this.pane === undefined) return;
    const { index, ratios } = this.pane;
    this.pane = undefined;
    const paces = ratios.map((pace) => ({ pace, weight: 1 }));
    this.#fold(index, robustPace(paces, deviationsMax), ratios.length);
  }

  #fold(index: number, ratio: number, passages: number): void {
    const bin = binOfWeek(index * paneMs);
    const weight = (paneWeight * passages) / (passages + dayPassages);
    const before = this.weights[bin]! * weekKept;
    const mean = (before * this.means[bin]! + weight * ratio * ratioScale) / (before + weight);
    this.means[bin] = Math.round(mean);
    this.weights[bin] = Math.min(weightMax, Math.round(before + weight));
  }

  #count(driver: number, leftMs: number): void {
    const day = Math.floor(leftMs / dayMs);
    if (day < this.#day) return;
    if (day > this.#day) this.#seen = 0;
    this.#day = day;
    this.#seen |= 1 << (driver % 31);
    let bits = 0;
    for (let left = this.#seen; left !== 0; left &= left - 1) bits++;
    this.driversOfADay = Math.max(this.driversOfADay, bits);
  }

  mean(bin: number): number {
    return this.means[bin]! / ratioScale;
  }

  toPlain(): PlainWeek {
    const { means, weights, pane, driversOfADay, heardMs } = this;
    const at: number[] = [];
    for (let bin = 0; bin < binsPerWeek; bin++)
      if (weights[bin]! > 0) at.push(bin, means[bin]!, weights[bin]!);
    const late = this.#late;
    return {
      at,
      ...(pane && { pane }),
      ...(late.length > 0 && { late }),
      day: this.#day,
      seen: this.#seen,
      driversOfADay,
      heardMs,
    };
  }

  static fromPlain({ at, pane, late = [], day, seen, driversOfADay, heardMs }: PlainWeek): EdgeWeek {
    const week = new EdgeWeek();
    for (let i = 0; i < at.length; i += 3) {
      week.means[at[i]!] = at[i + 1]!;
      week.weights[at[i]!] = at[i + 2]!;
    }
    week.pane = pane;
    week.#late = late;
    week.#day = day;
    week.#seen = seen;
    week.driversOfADay = driversOfADay;
    week.heardMs = heardMs;
    return week;
  }
}

/** The stored form: bin, mean and weight in turns, for the known bins. */
export interface PlainWeek {
  readonly at: readonly number[];
  readonly pane?: Pane;
  readonly late?: readonly number[];
  readonly day: number;
  readonly seen: number;
  readonly driversOfADay: number;
  readonly heardMs: number;
}
