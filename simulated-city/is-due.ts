const minuteMs = 60_000;

/**
 * Whether a closure must be found: its road had so many drivers a minute before, and half as many come to it
 * while it is closed and go another way. Behind another closed road nobody comes, and nothing shows that it
 * is closed. Before a road that nobody can go round drivers stand, as they do in a jam.
 */
export const isDue = ({ beforePerMinute, turnedBack, watchedMs }: Due, busyPerMinute: number): boolean =>
  beforePerMinute >= busyPerMinute && turnedBack >= (busyPerMinute * watchedMs) / (2 * minuteMs);

export interface Due {
  readonly beforePerMinute: number;
  /** Drivers who turned back at it during `watchedMs`, the time until it was found or should have been. */
  readonly turnedBack: number;
  readonly watchedMs: number;
}
