import { between, type LngLat, metresBetween } from '../geometry/line.js';

export interface Fix {
  readonly id: string;
  readonly at: LngLat;
  readonly headingDeg: number;
  readonly navigating: boolean;
  /** Unix milliseconds at which the driver was there. */
  readonly timestamp: number;
}

/** A driver on the way from one place to the next, by the clock of `update`. */
export interface Track {
  from: LngLat;
  to: LngLat;
  headingDeg: number;
  navigating: boolean;
  timestamp: number;
  startedAt: number;
  lastsMs: number;
}

const lastsMsMin = 200;
const lastsMsMax = 6_000;
/**
 * A driver that is further away than this was not observed in between: they appear there instead of flying.
 */
const jumpM = 1_500;

/** Where the driver is drawn at `now`; `drivers-canvas` says the same to the graphics card. */
export const placeOn = (track: Track, now: number): LngLat =>
  between(track.from, track.to, Math.min(1, Math.max(0, (now - track.startedAt) / track.lastsMs)));

/**
 * Moves drivers smoothly between their fixes: each glides from its drawn position to its newest fix in the
 * time between the previous fix and this one. So the drawing is one fix behind, and never extrapolated.
 */
export function createGlide() {
  const tracks = new Map<string, Track>();
  let endsAt = Number.NEGATIVE_INFINITY;

  return {
    /** Applies the newest fixes; drivers without one are removed. `now` is any clock in milliseconds. */
    update(fixes: readonly Fix[], now: number): void {
      const present = new Set<string>();
      for (const fix of fixes) {
        present.add(fix.id);
        const track = tracks.get(fix.id);
        if (track === undefined) {
          tracks.set(fix.id, { ...fix, from: fix.at, to: fix.at, startedAt: now, lastsMs: lastsMsMin });
          continue;
        }
        track.navigating = fix.navigating;
        if (fix.timestamp <= track.timestamp) continue;
        const here = placeOn(track, now);
        const jumps = metresBetween(here, fix.at) > jumpM;
        track.from = jumps ? fix.at : here;
        track.to = fix.at;
        track.headingDeg = fix.headingDeg;
        track.lastsMs = Math.min(lastsMsMax, Math.max(lastsMsMin, fix.timestamp - track.timestamp));
        track.timestamp = fix.timestamp;
        track.startedAt = now;
      }
      for (const id of tracks.keys()) if (!present.has(id)) tracks.delete(id);
      endsAt = Math.max(...[...tracks.values()].map(({ startedAt, lastsMs }) => startedAt + lastsMs));
    },
    tracks: (): readonly Track[] => [...tracks.values()],
    /** Whether any driver is still moving at `now`. */
    moving: (now: number): boolean => now < endsAt,
  };
}
