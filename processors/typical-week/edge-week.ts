import { binOfWeek, binsPerWeek } from '#routing-engine/network/typical-week.js';
import { robustPace } from '../traffic/robust-pace.js';

const paneMs = 1_800_000;
const dayMs = 86_400_000;
/** Passages of one half hour that are kept; more say nothing new about it. */
const panePassagesMax = 32;
/**
 * Passages that the difference between one day and another weighs as much as: a half hour is no surer than
 * its day.
 */
const dayPassages = 5;
/** Weight of a half hour that very many drove. */
const paneWeight = 50;
const weightMax = 250;
/** What a week before counts beside a new one. */
const weekKept = 0.8;
const ratioScale = 4_096;
const ratioMax = 15.9;
const deviationsMax = 4;
/** Late passages that an edge remembers, so that a driver corrects a half hour once. */
const lateKept = 16;

/** The half hour that is being driven: the pane that the week is made of. */
interface Pane {
  readonly index: number;
  readonly drivers: number[];
  readonly ratios: number[];
}

/**
 * What one edge is usually like. Every half hour is gathered in a pane of its own; when it is over, its
 * robust mean moves the bin of its half hour of the week. Ratios are times the duration on an empty road.
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
  /** Most distinct drivers that one day is sure to have had. */
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

/** As it is stored: bin, mean and weight in turns, of the bins that something is known of. */
export interface PlainWeek {
  readonly at: readonly number[];
  readonly pane?: Pane;
  readonly late?: readonly number[];
  readonly day: number;
  readonly seen: number;
  readonly driversOfADay: number;
  readonly heardMs: number;
}
