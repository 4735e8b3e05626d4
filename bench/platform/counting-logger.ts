import type { Logger } from '#platform/telemetry/logger.js';
import type { PlatformWorld } from './platform-world.js';

/** Counts what the programs warn of, by message; nothing else of their logs is kept. */
export function countingLogger({ warnings }: Pick<PlatformWorld, 'warnings'>): Logger {
  const count = (message: string): void => {
    warnings.set(message, (warnings.get(message) ?? 0) + 1);
  };
  const logger: Logger = {
    debug: () => undefined,
    info: () => undefined,
    warn: count,
    error: count,
    child: () => logger,
  };
  return logger;
}
