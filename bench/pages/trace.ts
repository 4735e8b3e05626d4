/** An event of Chromium's trace, in microseconds. One without a duration has no times of its thread. */
interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Of the processor time of its thread, which other programs do not lengthen. */
  readonly tts?: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** Start and end of a piece of work, in microseconds of processor time. */
export type Span = readonly [number, number];

export const categories = ['devtools.timeline', 'v8', 'disabled-by-default-v8.compile'];

/**
 * What runs JavaScript: parsing, compiling, evaluating, calling back, and the garbage collection within.
 * Events contain each other, so their spans are united before they are added up.
 */
const ofScript = new Set([
  'EvaluateScript',
  'v8.compile',
  'v8.compileModule',
  'v8.evaluateModule',
  'v8.produceCache',
  'FunctionCall',
  'RunMicrotasks',
  'TimerFire',
  'EventDispatch',
  'FireAnimationFrame',
  'FireIdleCallback',
  'HandlePostMessage',
  'MinorGC',
  'MajorGC',
]);

export interface MainThread {
  /** When JavaScript ran, in order and without overlaps. */
  readonly scripts: readonly Span[];
  /** When the callbacks of each animation frame began. */
  readonly frames: readonly number[];
}

/** The main thread of the page in a trace: the one of all renderers that ran most. */
export function mainThreadOf(trace: Buffer): MainThread {
  const { traceEvents } = JSON.parse(trace.toString()) as { readonly traceEvents: readonly TraceEvent[] };
  const threads = traceEvents
    .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
    .map(({ pid, tid }) => traceEvents.filter((event) => event.pid === pid && event.tid === tid));
  const busiest = threads.toSorted((a, b) => b.length - a.length)[0];
  if (busiest === undefined) throw new Error('the trace has no main thread of a page');
  const whole = busiest.flatMap(({ name, tts, tdur }) =>
    tts === undefined || tdur === undefined ? [] : [{ name, from: tts, until: tts + tdur }],
  );
  return {
    scripts: united(
      whole.filter(({ name }) => ofScript.has(name)).map(({ from, until }): Span => [from, until]),
    ),
    frames: whole
      .filter(({ name }) => name === 'FireAnimationFrame')
      .map(({ from }) => from)
      .toSorted((a, b) => a - b),
  };
}

function united(spans: readonly Span[]): readonly Span[] {
  const found: [number, number][] = [];
  for (const [from, until] of spans.toSorted((a, b) => a[0] - b[0])) {
    const last = found.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], until);
    else found.push([from, until]);
  }
  return found;
}

/** Milliseconds of script from one time of the trace until another one. */
export function scriptMs(scripts: readonly Span[], fromUs: number, untilUs: number): number {
  const within = scripts.map(([from, until]) => Math.min(until, untilUs) - Math.max(from, fromUs));
  return within.reduce((sum, us) => sum + Math.max(us, 0), 0) / 1_000;
}

/** Milliseconds of script from the start of each frame to that of the next one, timers between them too. */
export function scriptMsByFrame({ scripts, frames }: MainThread): number[] {
  // Callbacks of one frame begin one after the other; frames of a screen are 16 ms apart.
  const starts = frames.filter((at, nth) => nth === 0 || at - frames[nth - 1]! > 4_000);
  return starts.slice(1).map((until, nth) => scriptMs(scripts, starts[nth]!, until));
}
