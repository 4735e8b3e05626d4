import type { Config } from '#platform/config/settings.js';
import type { Program } from '#platform/lifecycle/run-program.js';
import type { Metrics } from '#platform/telemetry/metrics.js';
import { openTracing } from '#platform/telemetry/open-tracing.js';
import { useTracing } from '#platform/telemetry/tracing.js';
import { version } from './version.js';

interface TracedProgram extends Pick<Program, 'name' | 'logger' | 'onStop'> {
  readonly config: Config;
  readonly metrics: Metrics;
}

/** What is left of the drain may be short; spans that wait are then discarded. */
const flushMsMax = 1_000;

/** Traces are off, and nothing of them is loaded, unless the settings name a collector. */
export async function startTracing(context: TracedProgram) {
  const { config, name, logger } = context;
  const url = collectorOf(config);
  if (url === undefined) return;
  const tracing = await openTracing(
    {
      url,
      sampler: config.OTEL_TRACES_SAMPLER,
      ratio: config.OTEL_TRACES_SAMPLER_ARG,
      perSecond: config.TRACES_PER_SECOND,
      queuedMax: config.OTEL_BSP_MAX_QUEUE_SIZE,
      delayMs: config.OTEL_BSP_SCHEDULE_DELAY,
      resource: {
        'service.version': version,
        ...pairsOf(config.OTEL_RESOURCE_ATTRIBUTES),
        'service.name': config.OTEL_SERVICE_NAME ?? `meridian-${name}`,
      },
    },
    context,
  );
  useTracing(tracing);
  logger.info('traces are on', { url, perSecond: config.TRACES_PER_SECOND });
  context.onStop('traces', async (remainingMs) => {
    useTracing(undefined);
    await tracing.close(Math.min(flushMsMax, remainingMs / 2));
  });
}

function collectorOf(config: Config): string | undefined {
  if (config.OTEL_SDK_DISABLED === 'true') return undefined;
  const { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: whole, OTEL_EXPORTER_OTLP_ENDPOINT: base } = config;
  return whole ?? (base === undefined ? undefined : `${base.replace(/\/+$/, '')}/v1/traces`);
}

/** `name=value,name=value`, both percent-encoded, as OpenTelemetry writes them. */
const pairsOf = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    text
      .split(',')
      .filter((pair) => pair !== '')
      .map((pair) => pair.split('=', 2).map((part) => decoded(part.trim())) as [string, string]),
  );

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
