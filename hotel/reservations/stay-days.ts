/** PostgreSQL has no year 0. */
const pattern = /^(?!0000)\d{4}-\d{2}-\d{2}$/;
const dayMs = 86_400_000;

/**
 * Whether `text` is a day of the calendar as `YYYY-MM-DD`, leap days included; nothing is rounded or guessed.
 */
export function isDay(text: string): boolean {
  if (!pattern.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/**
 * Nights of a stay whose first and last day are both counted; 0 or less when the end lies before the start.
 */
export function nightsBetween(startDate: string, endDate: string): number {
  return (Date.parse(`${endDate}T00:00:00Z`) - Date.parse(`${startDate}T00:00:00Z`)) / dayMs + 1;
}

/** The day `days` after `day`. Days have no zone, so no daylight saving reaches them. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
}

/** Days since 1970-01-01. */
export const dayNumber = (day: string): number => Date.parse(`${day}T00:00:00Z`) / dayMs;
