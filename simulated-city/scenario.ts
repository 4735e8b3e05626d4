import type { Random } from '#platform/random/random.js';
import type { CityRoads } from './city-roads.js';
import type { Commuter } from './commuter.js';
import type { World } from './world.js';

/** What a scenario directs. */
export interface Stage {
  readonly startMs: number;
  readonly random: Random;
  readonly roads: CityRoads;
  readonly world: World;
  /** The drivers, those with guidance first; `visitors` are not among them. */
  readonly commuters: readonly Commuter[];
  readonly visitors: readonly Commuter[];
  /** Edges where trips begin and end. */
  readonly hotspots: readonly number[];
  /** The edges that most guided drivers have ahead of them. */
  busyEdges(): readonly number[];
}

/** A situation in which closure detection could be wrong. */
export interface Scenario {
  /** One line for people. */
  readonly shows: string;
  /** Share of the drivers with guidance by the platform, instead of the usual half. */
  readonly guidedShare?: number;
  /** Drivers beside the requested number. */
  readonly visitors?: number;
  /** Returns what happens at each tick. */
  readonly begin?: (stage: Stage) => (nowMs: number) => void;
}
