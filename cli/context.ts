import { ensureWritableFolder } from '#platform/config/folders.js';
import { describeConfig } from '#platform/config/read-config.js';
import { type Config, settings } from '#platform/config/settings.js';
import type { EventLog } from '#platform/event-log/event-log.js';
import { tracedAppends } from '#platform/event-log/traced-appends.js';
import { type Program, runProgram } from '#platform/lifecycle/run-program.js';
import { waitFor } from '#platform/lifecycle/wait-for.js';
import { endWrites } from '#platform/lmdb/in-flight-writes.js';
import { queueGauges } from '#platform/telemetry/bounded-queue.js';
import type { Metrics } from '#platform/telemetry/metrics.js';
import { createLogger } from '#platform/telemetry/pino-logger.js';
import { createMetrics } from '#platform/telemetry/prometheus-metrics.js';
import { openTopicCodecs, type TopicCodecs } from '#platform/wire/topic-codecs.js';
import { topics } from '#schemas/topics.js';
import { openLog, openRegistry } from './adapters.js';
import { CommandFailed, exitCode } from './exit.js';
import { openInstallation } from './installation.js';
import { judgeConnections } from './plain-connections.js';
import { readSettings } from './read-settings.js';
import { requireSingleInstance } from './single-instance.js';
import { startTracing } from './start-tracing.js';

/** The context of every program: settings, logger, metrics and lifetime. */
export interface Context extends Program {
  readonly config: Config;
  readonly metrics: Metrics;
}

export interface LogAndCodecs {
  readonly log: EventLog;
  readonly codecs: TopicCodecs;
}

/**
 * Reads the settings and runs a program until it is stopped. `alone`: the only one of its name on its
 * data folder. `listens`: false if it opens no listeners.
 */
export async function runMeridian(
  name: string,
  start: (context: Context) => Promise<void>,
  options: {
    readonly overrides?: Readonly<Record<string, string>>;
    readonly alone?: boolean;
    readonly listens?: boolean;
  } = {},
): Promise<void> {
  const { overrides = {}, alone = false, listens = true } = options;
  const config = readSettings(overrides, { listens });
  refuseLogWithoutRegistry(config);
  refuseUnwritable(config.MERIDIAN_DATA);
  await openInstallation(config.MERIDIAN_DATA);
  if (alone) await requireSingleInstance(config, `meridian ${name}`);
  const logger = createLogger({ name, level: config.LOG_LEVEL });
  const shown = describeConfig(settings, { ...process.env, ...overrides });
  logger.info('settings', Object.fromEntries(shown.map((line) => [line.name, line.value])));
  for (const accepted of judgeConnections(config, { listens }).accepted) logger.warn(accepted);
  const metrics = createMetrics({ processMetrics: true });
  const life = { name, logger, drainMs: config.DRAIN_MS, rest: endWrites, pidFile: config.PID_FILE };
  await runProgram(life, async (program) => {
    const context = { ...program, config, metrics };
    await startTracing(context);
    await start(context);
  });
}

export function refuseLogWithoutRegistry(config: Config): void {
  if (config.EVENT_LOG?.startsWith('kafka:') === true && config.SCHEMA_REGISTRY_URL === undefined)
    throw new CommandFailed('EVENT_LOG is Kafka, so SCHEMA_REGISTRY_URL must be set too.', exitCode.usage);
}

function refuseUnwritable(dataFolder: string): void {
  try {
    ensureWritableFolder(dataFolder, 'MERIDIAN_DATA');
  } catch (error) {
    throw new CommandFailed((error as Error).message);
  }
}

interface Opened {
  close(): Promise<void>;
  check(): Promise<void>;
}

/**
 * How long opening an address may take. No server is contacted for that, so a failure is a wrong setting or
 * folder.
 */
const openWithinMs = 1_000;

/**
 * Opens a dependency that may start later than the program; it is closed when the program stops. A wrong
 * address or folder ends the start. An unavailable server is awaited, and `/readyz` lists it meanwhile.
 * `prepare` must succeed before it is used.
 */
export async function awaitPort<Port extends Opened>(
  context: Context,
  name: string,
  open: () => Promise<Port>,
  prepare: (port: Port) => Promise<void> = (port) => port.check(),
): Promise<Port> {
  const { logger, signal } = context;
  const port = await openPort(context, name, open, {});
  await waitFor(name, () => prepare(port), { logger, signal });
  return port;
}

/**
 * Opens a dependency that the program can run without. Nothing waits for it, and `/readyz` shows its state.
 */
export const openDispensable = <Port extends Opened>(
  context: Context,
  name: string,
  open: () => Promise<Port>,
): Promise<Port> => openPort(context, name, open, { dispensable: true });

async function openPort<Port extends Opened>(
  { logger, signal, onStop, readiness }: Context,
  name: string,
  open: () => Promise<Port>,
  isReady: { readonly dispensable?: true },
): Promise<Port> {
  const port = await waitFor(name, open, { logger, signal, deadlineMs: openWithinMs });
  onStop(name, () => port.close());
  readiness.check(name, () => port.check(), isReady);
  return port;
}

/** The event log with its topics, and the codecs with their schemas registered. */
export async function openLogAndCodecs(context: Context): Promise<LogAndCodecs> {
  const { config, logger, metrics, signal } = context;
  const watched = { watchQueue: queueGauges(metrics) };
  const log = tracedAppends(await awaitPort(context, 'event log', () => openLog(config, logger, watched)));
  const registry = await awaitPort(context, 'schema registry', () => openRegistry(config));
  await waitFor('topics', () => log.createTopics(topics), { logger, signal });
  const codecs = await waitFor('schemas', () => openTopicCodecs(registry), { logger, signal });
  return { log, codecs };
}
