/** A user's report about an edge; plain data. */
export interface Report {
  readonly reporter: number;
  readonly closed: boolean;
  /** Acceptance, and until when it counts; Unix milliseconds. */
  readonly atMs: number;
  readonly expiresMs: number;
}

export interface ReportSettings {
  /** Log likelihood ratio of a report: closed edge to open edge. */
  readonly nats: number;
  /** Maximum share of all reports in the evidence that closes an edge; drives must contribute the rest. */
  readonly shareMax: number;
  /** Stored reporters of an edge; more add nothing. */
  readonly reportersMax: number;
  /** Maximum lifetime of a report, whatever the user requests. */
  readonly lastsMaxMs: number;
}

/** With one more: each user has one report on an edge, their last. */
export function withReport(
  reports: readonly Report[],
  report: Report,
  nowMs: number,
  { reportersMax, lastsMaxMs }: ReportSettings,
): readonly Report[] {
  const others = reports.filter(
    ({ reporter, expiresMs }) => reporter !== report.reporter && expiresMs > nowMs,
  );
  if (others.length >= reportersMax) return others;
  return [...others, { ...report, expiresMs: Math.min(report.expiresMs, report.atMs + lastsMaxMs) }];
}

/**
 * Nats that the reports add to the evidence of a closure, and from how many users. Reports of users who also
 * count as drivers add none, nor do reports from before the last passage, and a report "open" takes away what
 * a report "closed" adds.
 */
export function reportedNats(
  reports: readonly Report[],
  hasSpoken: (driver: number) => boolean,
  passedMs: number,
  nowMs: number,
  threshold: number,
  { nats, shareMax }: ReportSettings,
): { readonly users: number; readonly nats: number } {
  let [closed, open] = [0, 0];
  for (const report of reports) {
    if (report.expiresMs <= nowMs || report.atMs <= passedMs || hasSpoken(report.reporter)) continue;
    if (report.closed) closed++;
    else open++;
  }
  return { users: closed, nats: Math.min(shareMax * threshold, nats * Math.max(0, closed - open)) };
}
