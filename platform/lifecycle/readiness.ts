import type { Logger } from '#platform/telemetry/logger.js';
import { inAwakeTime } from './in-awake-time.js';

export interface ReadinessReport {
  readonly ready: boolean;
  /** The reasons by name of condition; empty when ready. */
  readonly reasons: Readonly<Record<string, string>>;
  /** Unavailable dependencies that the program runs without, with the reason. */
  readonly without: Readonly<Record<string, string>>;
}

/** A condition whose owner reports changes: a map is loaded, a group has its partitions. */
export interface Condition {
  fulfil(): void;
  withdraw(reason: string): void;
}

export interface CheckOptions {
  /** The program works without it, but slower: it is reported and does not delay readiness. */
  readonly dispensable?: boolean;
}

/**
 * What must be true before a program takes work. Readiness is evaluated at each query, so a program becomes
 * ready when a late dependency is available and stops being ready when one fails.
 *
 * ```ts
 * readiness.check('event-log', () => log.check());
 * const map = readiness.condition('map', 'The map is being loaded.');
 * ```
 */
export interface Readiness {
  condition(name: string, reason: string): Condition;
  /** `probe` rejects with the reason; it is called at most once a second, and counts as failed after two in
   * which the program itself could run. */
  check(name: string, probe: () => Promise<void>, options?: CheckOptions): void;
  /** Not ready from now on, so that the load balancer sends no more requests. */
  drain(): void;
  report(): Promise<ReadinessReport>;
}

const probeAgeMaxMs = 1_000;
const probeTimeoutMs = 2_000;

interface Probe {
  readonly ask: () => Promise<void>;
  readonly dispensable: boolean;
  askedAt: number;
  running: Promise<void> | undefined;
  reason: string | undefined;
}

export function createReadiness(logger: Logger, now: () => number = () => performance.now()): Readiness {
  const open = new Map<string, string>();
  const probes = new Map<string, Probe>();
  let draining = false;

  async function ask(name: string, probe: Probe): Promise<void> {
    probe.askedAt = now();
    const before = probe.reason;
    try {
      const late = (): Error => new Error(`no answer in ${probeTimeoutMs} ms`);
      await inAwakeTime(probeTimeoutMs, probe.ask(), late);
      probe.reason = undefined;
    } catch (error) {
      probe.reason = error instanceof Error ? error.message : String(error);
    } finally {
      probe.running = undefined;
    }
    if (before !== undefined && probe.reason === undefined)
      logger.info('dependency recovered', { dependency: name });
    if (before === undefined && probe.reason !== undefined) {
      logger.warn('dependency is unavailable', { dependency: name, reason: probe.reason });
    }
  }

  return {
    condition(name, reason) {
      open.set(name, reason);
      return {
        fulfil: () => void open.delete(name),
        withdraw: (why) => void open.set(name, why),
      };
    },
    check(name, probe, { dispensable = false } = {}) {
      probes.set(name, {
        ask: probe,
        dispensable,
        askedAt: Number.NEGATIVE_INFINITY,
        running: undefined,
        reason: undefined,
      });
    },
    drain() {
      draining = true;
    },
    async report() {
      if (draining) return { ready: false, reasons: { program: 'The program is stopping.' }, without: {} };
      await Promise.all(
        [...probes].map(async ([name, probe]) => {
          if (now() - probe.askedAt >= probeAgeMaxMs) probe.running ??= ask(name, probe);
          await probe.running;
        }),
      );
      const away = (dispensable: boolean) =>
        [...probes].flatMap(([name, probe]) =>
          probe.reason === undefined || probe.dispensable !== dispensable
            ? []
            : [[name, probe.reason] as const],
        );
      const reasons = Object.fromEntries([...open, ...away(false)]);
      return {
        ready: Object.keys(reasons).length === 0,
        reasons,
        without: Object.fromEntries(away(true)),
      };
    },
  };
}
