import type { SenderCounts } from './location-sender.js';

/** What the city did so far; points under the names of the sender, the rest in complete trips. */
export interface CityReport extends SenderCounts {
  trips: number;
  navigations: number;
  reroutes: number;
  detours: number;
}
