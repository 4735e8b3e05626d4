import { language, text } from '../language/language.js';

const footM = 0.3048;
const mileM = 1_609.344;

/** Rounded as on a road sign: `440 m`, `1.2 km`; or `500 ft`, `0.8 mi`. */
export function distanceText(metres: number, units: 'metric' | 'imperial' = 'metric'): string {
  if (units === 'imperial') {
    if (metres < mileM / 10) return `${Math.max(0, Math.round(metres / footM / 50) * 50)} ft`;
    return `${decimal(metres / mileM)} mi`;
  }
  if (metres < 950) return `${Math.max(0, Math.round(metres / 10) * 10)} m`;
  return `${decimal(metres / 1000)} km`;
}

/** One decimal below ten, in the page's language. */
const decimal = (value: number): string =>
  value.toLocaleString(language, {
    minimumFractionDigits: value < 9.95 ? 1 : 0,
    maximumFractionDigits: value < 9.95 ? 1 : 0,
  });

export function speedText(metresPerSecond: number, units: 'metric' | 'imperial'): string {
  if (units === 'imperial') return `${Math.round((metresPerSecond * 3_600) / mileM)} mph`;
  return `${Math.round(metresPerSecond * 3.6)} km/h`;
}

const hours = text('h', 'tim', 'Std.');
const minutesUnit = text('min', 'min', 'Min.');

export function durationText(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  if (minutes < 1) return `${Math.max(0, Math.round(seconds))} s`;
  if (minutes < 60) return `${minutes} ${minutesUnit}`;
  return `${Math.floor(minutes / 60)} ${hours} ${minutes % 60} ${minutesUnit}`;
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
  if (seconds >= 3_600)
    return `${Math.floor(seconds / 3_600)} ${hours} ${Math.floor((seconds % 3_600) / 60)} ${minutesUnit}`;
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
