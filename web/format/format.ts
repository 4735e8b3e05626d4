export function distanceText(metres: number): string {
  if (metres < 950) return `${Math.max(0, Math.round(metres / 10) * 10)} m`;
  return `${(metres / 1000).toFixed(metres < 9_950 ? 1 : 0)} km`;
}

export function durationText(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  if (minutes < 1) return `${Math.max(0, Math.round(seconds))} s`;
  if (minutes < 60) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Local time in hours and minutes, `seconds` from `now`. */
export function arrivalText(seconds: number, now: Date): string {
  return new Date(now.getTime() + seconds * 1000).toLocaleTimeString([], {
    hour: '2-digit',
    minute: '2-digit',
  });
}

/** Minutes and seconds until an RFC 3339 time, or null when it has no end. */
export function remainingText(until: string | null, now: number): string | null {
  if (until === null) return null;
  const seconds = Math.max(0, Math.round((Date.parse(until) - now) / 1000));
  if (seconds >= 3_600) return `${Math.floor(seconds / 3_600)} h ${Math.floor((seconds % 3_600) / 60)} min`;
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
