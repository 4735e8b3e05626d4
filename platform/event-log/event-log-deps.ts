/** What an event log says to people. pino's loggers fit. */
export interface EventLogLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** What both event logs take from outside. */
export interface EventLogDeps {
  /** Unix milliseconds; `Date.now` when absent. */
  readonly clock?: () => number;
  /** Silent when absent. */
  readonly logger?: EventLogLogger;
}

const silent = (): void => {};
export const silentLogger: EventLogLogger = { info: silent, warn: silent, error: silent };
