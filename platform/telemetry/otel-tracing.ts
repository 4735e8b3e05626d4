import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Context,
  type Link,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, type SpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { CallerTrace } from './head-sampling.js';
import { isSampled, parseTraceparent, writeTraceparent } from './trace-parent.js';
import type { RunningSpan, SpanAttributes, SpanOptions, Tracing } from './tracing.js';

/** OpenTelemetry's own limit of links of a span. */
const linksMax = 128;
/**
 * What still runs this long after its span began, such as a timer that a request started, is no longer part
 * of it.
 */
const aroundMaxMs = 60_000;

const kinds = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const;

export interface OtelTracingOptions {
  readonly processor: SpanProcessor;
  /** `service.name` and others, of everything that this process exports. */
  readonly resource: SpanAttributes;
  readonly isWanted: (caller: CallerTrace | undefined) => boolean;
}

/** The only file that makes spans of OpenTelemetry. */
export class OtelTracing implements Tracing {
  readonly #provider: BasicTracerProvider;
  readonly #tracer: Tracer;
  readonly #isWanted: OtelTracingOptions['isWanted'];
  readonly #around = new AsyncLocalStorage<OtelSpan | undefined>();

  constructor({ processor, resource, isWanted }: OtelTracingOptions) {
    this.#provider = new BasicTracerProvider({
      resource: resourceFromAttributes({ ...resource }),
      spanProcessors: [processor],
    });
    this.#tracer = this.#provider.getTracer('meridian');
    this.#isWanted = isWanted;
  }

  current(): string | undefined {
    return this.#present()?.traceparent;
  }

  annotate(attributes: SpanAttributes): void {
    this.#present()?.set(attributes);
  }

  request(name: string, caller: string | undefined, attributes: SpanAttributes): RunningSpan | undefined {
    const parent = parseTraceparent(caller);
    const asked = parent && { traceId: parent.traceId, sampled: isSampled(parent) };
    if (!this.#isWanted(asked)) return undefined;
    return this.#start(name, { kind: 'server', attributes }, contextOf(parent), []);
  }

  begin(name: string, options: SpanOptions): RunningSpan | undefined {
    if (options.causes === undefined) {
      const present = this.#present();
      return present && this.#start(name, options, contextOf(present.context), []);
    }
    const [first, ...others] = sampledCauses(options.causes);
    if (first === undefined) return undefined;
    const isOneTrace = others.every(({ traceId }) => traceId === first.traceId);
    const linked = isOneTrace ? others : [first, ...others];
    return this.#start(name, options, contextOf(isOneTrace ? first : undefined), linked);
  }

  within<Result>(span: RunningSpan | undefined, work: () => Result): Result {
    return this.#around.run(span as OtelSpan | undefined, work);
  }

  async close(withinMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, withinMs);
    });
    // A collector that is down must not make a program's end fail.
    await Promise.race([this.#provider.shutdown().catch(() => {}), late]);
    clearTimeout(timer);
  }

  #present(): OtelSpan | undefined {
    const span = this.#around.getStore();
    return span !== undefined && performance.now() - span.beganMs < aroundMaxMs ? span : undefined;
  }

  #start(
    name: string,
    { kind = 'internal', attributes = {} }: SpanOptions,
    parent: Context,
    linked: readonly SpanContext[],
  ): OtelSpan {
    const links: Link[] = linked.slice(0, linksMax).map((context) => ({ context }));
    return new OtelSpan(
      this.#tracer.startSpan(name, { kind: kinds[kind], attributes: { ...attributes }, links }, parent),
    );
  }
}

class OtelSpan implements RunningSpan {
  readonly context: SpanContext;
  readonly traceparent: string;
  readonly beganMs = performance.now();
  readonly #span: Span;

  constructor(span: Span) {
    this.#span = span;
    this.context = span.spanContext();
    this.traceparent = writeTraceparent(this.context);
  }

  get traceId(): string {
    return this.context.traceId;
  }

  set(attributes: SpanAttributes): void {
    this.#span.setAttributes({ ...attributes });
  }

  end(error?: unknown): void {
    // Messages may hold values of users; the class of an error never does.
    if (error !== undefined) {
      this.#span.setStatus({ code: SpanStatusCode.ERROR });
      this.#span.setAttribute('error.type', error instanceof Error ? error.name : typeof error);
    }
    this.#span.end();
  }
}

const contextOf = (parent: SpanContext | undefined): Context =>
  parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent);

/** Each once. */
function sampledCauses(causes: readonly string[]): SpanContext[] {
  return [...new Set(causes)].flatMap((cause) => {
    const context = parseTraceparent(cause);
    return context !== undefined && isSampled(context) ? [context] : [];
  });
}
