import type { Sql } from '#platform/sql/sql.js';
import type { TopicCodecs } from '#platform/wire/topic-codecs.js';
import type { CityProcess } from './city-process.js';
import type { SimulatedLog } from './simulated-log.js';
import type { SimulatedProvider } from './simulated-provider.js';
import type { VirtualClock } from './virtual-clock.js';
import type { Weather } from './weather.js';

/** What processes, consumer groups and people of a city share. */
export interface CityWorld {
  /** The database itself, which no death of a process touches. */
  readonly sql: Sql;
  readonly codecs: TopicCodecs;
  readonly clock: VirtualClock;
  readonly random: () => number;
  readonly weather: Weather;
  readonly log: SimulatedLog;
  readonly provider: SimulatedProvider;
  readonly counts: Record<'kills' | 'reserved' | 'refused' | 'deadLetters', number>;
  /** Payment orders that were answered for. */
  readonly accepted: Set<string>;
  /** The one that lives now. */
  process: CityProcess;
  /** The database is away until then. */
  awayUntilMs: number;
  /** Somebody did something: the background looks soon. */
  stir(): void;
}
