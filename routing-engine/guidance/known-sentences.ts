import { limits } from '../network/limits.js';
import { perNetwork } from '../network/per-network.js';
import type { RoadNetwork } from '../network/road-network.js';
import type { Instruction } from './guidance-text.js';
import { type Maneuver, maneuverModifiers, maneuverTypes, type StepMode } from './maneuver.js';

const known = perNetwork(() => new Map<string, KnownSentences>());

/** The sentences in a language about turns into roads of a network that have no signs. */
export function knownSentences(network: RoadNetwork, language: string): KnownSentences {
  const byLanguage = known(network);
  const sentences = byLanguage.get(language) ?? new KnownSentences(network);
  byLanguage.set(language, sentences);
  return sentences;
}

const modes = ['', 'driving', 'cycling', 'pushing bike', 'walking', 'ferry'] as const satisfies (
  | ''
  | StepMode
)[];
type Mode = '' | StepMode;
/** From 1 on. */
const numbered = <Word extends string>(words: readonly Word[]): Readonly<Record<Word, number>> =>
  Object.fromEntries(words.map((word, at) => [word, at + 1])) as Record<Word, number>;
const typeNumbers = numbered(maneuverTypes);
const modifierNumbers = numbered(maneuverModifiers);
const modeNumbers = numbered(modes);

/** Kept by numbers: the key of a text takes longer than all else about a step. */
export class KnownSentences {
  readonly #network: RoadNetwork;
  /** By number of the name and of the road number, then by what is said. */
  readonly #byRoad = new Map<number, Map<number, Instruction>>();
  #kept = 0;

  constructor(network: RoadNetwork) {
    this.#network = network;
  }

  about(edge: number, turn: Maneuver, mode: Mode, motorway: boolean): Instruction | undefined {
    return this.#byRoad.get(this.#road(edge))?.get(keyOf(turn, mode, motorway));
  }

  keep(edge: number, turn: Maneuver, mode: Mode, motorway: boolean, sentence: Instruction): void {
    if (this.#kept >= limits.instructionsKept) {
      this.#byRoad.clear();
      this.#kept = 0;
    }
    const road = this.#road(edge);
    const said = this.#byRoad.get(road) ?? new Map<number, Instruction>();
    this.#byRoad.set(road, said);
    said.set(keyOf(turn, mode, motorway), sentence);
    this.#kept++;
  }

  #road(edge: number): number {
    const { name, ref, nameAt } = this.#network.arrays;
    return name[edge] * nameAt.length + ref[edge];
  }
}

/** Only the sentence of the departure names a compass direction, and only others have an exit. */
function keyOf({ type, modifier, exit = 0, bearingAfter }: Maneuver, mode: Mode, motorway: boolean): number {
  const detail = type === 'depart' ? Math.round(bearingAfter) % 360 : exit;
  const turn = typeNumbers[type] * 16 + (modifier === undefined ? 0 : modifierNumbers[modifier]);
  return ((turn * 8 + modeNumbers[mode]) * 2 + (motorway ? 1 : 0)) * 512 + detail;
}
