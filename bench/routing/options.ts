import { type TravelMode, travelModes } from '#routing-engine/network/travel-mode.js';
import { Missing } from '../missing.js';
import { type Area, areas, chosenAreas, extractOf } from './areas.js';

/** The options of all routing benchmarks; the command line passes them as one JSON argument. */
export interface RoutingOptions {
  readonly areas: readonly Area[];
  readonly rounds: number;
  readonly seed: number;
  /** `random`: drawn by the seed. `known`: the pair file of the area. Anything else: a pair file. */
  readonly pairs: string;
  readonly count: number;
  readonly answer: 'times' | 'full' | 'both';
  /** Per cent of the edges that change at once. */
  readonly shares: readonly number[];
  /** Where the changed edges are. */
  readonly patterns: readonly ('clustered' | 'random')[];
  readonly modes: readonly TravelMode[];
  /** Only these builds; default: all. */
  readonly peers?: readonly string[];
  /** Without the peers. */
  readonly alone: boolean;
}

export function readOptions(defaults: Partial<RoutingOptions> = {}): RoutingOptions {
  const given = JSON.parse(process.argv[2] ?? '{}') as Partial<RoutingOptions>;
  const options: RoutingOptions = {
    rounds: 5,
    seed: 1,
    pairs: 'random',
    count: 2_000,
    answer: 'both',
    shares: [0.1, 1, 10, 100],
    patterns: ['clustered', 'random'],
    modes: travelModes,
    alone: false,
    ...defaults,
    ...given,
    areas: chosenAreas(given.areas?.join(','), defaults.areas ?? areas),
  };
  // Before the first is measured.
  for (const area of options.areas) extractOf(area);
  if (!(options.rounds >= 1 && options.count >= options.rounds))
    throw new Missing('There must be at least one round, and a pair for each.');
  return options;
}
