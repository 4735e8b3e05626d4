/** Where a span stands between two programs; the kinds of OpenTelemetry. */
export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer';

/** Never coordinates, tokens, bodies or ids of persons. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanOptions {
  readonly kind?: SpanKind;
  readonly attributes?: SpanAttributes;
  /**
   * `traceparent` of everything that led to this work, the first one first. If all belong to one trace, the
   * span continues it. Otherwise it begins a trace of its own with a link to each, as OpenTelemetry's
   * conventions for messages ask for batches. Without any there is no span. Absent: the span around the
   * caller.
   */
  readonly causes?: readonly string[];
}

export interface RunningSpan {
  /** In W3C's form, for headers: `00-<trace id>-<span id>-01`. */
  readonly traceparent: string;
  readonly traceId: string;
  set(attributes: SpanAttributes): void;
  end(error?: unknown): void;
}

/** Records spans and exports them. Only sampled work has spans, and only sampled spans are passed on. */
export interface Tracing {
  /** The `traceparent` of the span around the caller; undefined outside of sampled work. */
  current(): string | undefined;
  /** More about the span around the caller; nothing outside of sampled work. */
  annotate(attributes: SpanAttributes): void;
  /** A request from outside, with the `traceparent` of its caller. Undefined if it is not sampled. */
  request(name: string, caller: string | undefined, attributes: SpanAttributes): RunningSpan | undefined;
  /** Undefined without a sampled cause. */
  begin(name: string, options: SpanOptions): RunningSpan | undefined;
  /** Runs `work` with this span around it; with undefined, outside of all spans. */
  within<Result>(span: RunningSpan | undefined, work: () => Result): Result;
  /** Exports what is waiting, or discards it after this long. */
  close(withinMs: number): Promise<void>;
}

let active: Tracing | undefined;

/**
 * One for the whole process, like the loggers and contexts of OpenTelemetry itself: a span crosses every
 * package. Undefined, which is the default, costs the callers a comparison.
 */
export const tracing = (): Tracing | undefined => active;

export function useTracing(next: Tracing | undefined): void {
  active = next;
}

/** Runs `work` as a span, if tracing is on and its cause is sampled. A rejection is the span's error. */
export function traced<Result>(name: string, options: SpanOptions, work: () => Result): Result {
  if (active === undefined) return work();
  const span = active.begin(name, options);
  if (span === undefined) return options.causes === undefined ? work() : active.within(undefined, work);
  try {
    const result = active.within(span, work);
    if (result instanceof Promise)
      result.then(
        () => span.end(),
        (error: unknown) => span.end(error),
      );
    else span.end();
    return result;
  } catch (error) {
    span.end(error);
    throw error;
  }
}

/** For work that many callers share or that never ends: it belongs to none of their traces. */
export function outsideTraces<Result>(work: () => Result): Result {
  return active === undefined ? work() : active.within(undefined, work);
}

export const traceHeader = 'traceparent';

const causeOf = new WeakMap<object, string>();

/** Remembers which work a message comes from, for whoever sends it later; the present span by default. */
export function carryTrace(message: object, trace = active?.current()): void {
  if (trace !== undefined) causeOf.set(message, trace);
}

/** What `carryTrace` remembered, else the present span. */
export function traceOf(message: object): string | undefined {
  return active === undefined ? undefined : (causeOf.get(message) ?? active.current());
}

/** The sampled causes of records, in their order. Empty if tracing is off. */
export function causesOf(
  records: ReadonlyArray<{ readonly headers?: Readonly<Record<string, string>> }>,
): readonly string[] {
  if (active === undefined) return [];
  return records.flatMap(({ headers }) => headers?.[traceHeader] ?? []);
}
