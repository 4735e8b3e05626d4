import type { HoursRule } from '../network/hours-rule.js';
import { type HoldsAt, readHours } from './read-hours.js';

/** Whether it is shut at a time of which the local getters show the clock. */
export type ShutAt = (clock: Date) => boolean;

/** In doubt it is shut: hours that cannot be read hold if they shut, and do not hold if they open. */
export function shutBy({ shut, clauses }: HoursRule, country: string): ShutAt {
  const readable = clauses.map((clause) => ({
    ...clause,
    holds: readHours(clause.hours, country) ?? unknown,
  }));
  return (clock) => readable.findLast((clause) => clause.holds(clock) ?? clause.shut)?.shut ?? shut;
}

const unknown: HoldsAt = () => undefined;
