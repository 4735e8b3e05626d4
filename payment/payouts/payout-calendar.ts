/** The days on which a schedule pays, in the seller's calendar. */
export type PayoutDays =
  | { readonly interval: 'daily' }
  /** 1 is Monday, 7 is Sunday. */
  | { readonly interval: 'weekly'; readonly weekday: number }
  /** In a shorter month, its last day. */
  | { readonly interval: 'monthly'; readonly monthDay: number };

const dayMs = 86_400_000;
const dateOf = (day: string): Date => new Date(`${day}T00:00:00Z`);
const textOf = (date: Date): string => date.toISOString().slice(0, 10);
const addDays = (day: string, days: number): string => textOf(new Date(dateOf(day).getTime() + days * dayMs));

/** The last day of payment up to `today`, which counts. Days are `2026-11-27`. */
export function lastPayDay(days: PayoutDays, today: string): string {
  switch (days.interval) {
    case 'daily':
      return today;
    case 'weekly':
      return addDays(today, -((dateOf(today).getUTCDay() - days.weekday + 7) % 7));
    case 'monthly': {
      const ofThisMonth = inMonth(today, 0, days.monthDay);
      return ofThisMonth <= today ? ofThisMonth : inMonth(today, -1, days.monthDay);
    }
  }
}

/** The first day of payment after `day`. */
export function nextPayDay(days: PayoutDays, day: string): string {
  switch (days.interval) {
    case 'daily':
      return addDays(day, 1);
    case 'weekly':
      return addDays(lastPayDay(days, day), 7);
    case 'monthly': {
      const ofThisMonth = inMonth(day, 0, days.monthDay);
      return ofThisMonth > day ? ofThisMonth : inMonth(day, 1, days.monthDay);
    }
  }
}

function inMonth(day: string, months: number, monthDay: number): string {
  const [year = 0, month = 0] = day.split('-').map(Number);
  const lastDay = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return textOf(new Date(Date.UTC(year, month - 1 + months, Math.min(monthDay, lastDay))));
}
