import type { ScenarioMap } from './scenario-map.js';
import type { Json } from './served-maps.js';

/** One cell that a row of a table expects, with what the engine answers. */
export interface JudgedCell {
  readonly column: string;
  readonly want: string;
  readonly got: string;
  readonly isSame: boolean;
}

/** A row of a table that was asked. */
export interface AskedRow {
  readonly kind: 'route' | 'routability' | 'nearest' | 'match' | 'trip' | 'table' | 'post' | 'program';
  readonly map: ScenarioMap;
  readonly row: Readonly<Record<string, string>>;
  readonly cells: readonly JudgedCell[];
  readonly status: number;
  readonly answer: Json;
  readonly request: string;
}
