import type { Pair } from './pairs.js';

/** `times`: distance and duration. `full`: with the line as encoded polyline and with instructions. */
export type AnswerKind = 'times' | 'full';

/** Metres and seconds; null if the engine found no route. */
export type TripAnswer = readonly [meters: number, seconds: number] | null;

export interface Round {
  /** CPU of the complete process over the loop, including garbage collection and compilation. */
  readonly cpuS: number;
  readonly wallS: number;
  /** By pair. */
  readonly answers: readonly TripAnswer[];
  /** Wall clock of each query, in order. */
  readonly tookMs: readonly number[];
}

/** A routing engine with its map loaded, called in process on one thread. */
export interface Engine {
  readonly name: string;
  round(pairs: readonly Pair[], answer: AnswerKind, repeat: number): Promise<Round>;
  close(): Promise<void>;
}
