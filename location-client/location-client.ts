import { encodeUpload, type Fix } from './encode-upload.js';
import { type FixBuffer, memoryBuffer } from './fix-buffer.js';
import { thin } from './thin.js';

export interface LocationClientOptions {
  /** Of the service: `https://locations.example`. */
  readonly url: string;
  /** Called before each request, so that a token may be renewed. */
  readonly token: () => string | Promise<string>;
  /** The buffer of waiting fixes; default: memory. A persistent buffer lets the client work offline. */
  readonly buffer?: FixBuffer;
  /** This many fixes are sent without waiting for `flushMs`; the default is 20. */
  readonly batchFixes?: number;
  /** A fix waits at most this long before it is sent; the default is 15 s. */
  readonly flushMs?: number;
  readonly fetch?: typeof globalThis.fetch;
  readonly nowMs?: () => number;
  /** Uniform in [0, 1); for the jitter. */
  readonly random?: () => number;
  readonly setTimer?: (action: () => void, ms: number) => unknown;
  /** Called with batches that the service will never accept, and its reason; they are dropped. */
  readonly onRefused?: (reason: string, fixes: readonly Fix[]) => void;
  /** Called with the send interval that the service requests; the client applies it by itself. */
  readonly onSampling?: (everyS: number) => void;
}

export interface LocationClient {
  /** Keeps the fix until the service has it. Never throws, never waits. */
  add(fix: Fix): void;
  /** Sends what waits now; resolves when it is sent or has to wait for another attempt. */
  flush(): Promise<void>;
  /** Fixes that the service has not acknowledged. */
  readonly waiting: number;
}

const retryFirstMs = 1_000;
const retryLastMs = 5 * 60_000;
/** A track waits no longer than this, even if the service requests rarer batches. */
const everyMsMax = 5 * 60_000;
/** Maximum batch of the service. */
const serviceFixesMax = 1_000;
/** Refusals after which the same bytes may succeed. */
const passing = new Set([401, 408, 425, 429, 500, 502, 503, 504]);

/**
 * Sends a device's own positions: in batches, once in effect, through dead spots and overload. A batch keeps
 * its id and its fixes until it is acknowledged, so a retry whose first attempt had arrived changes nothing.
 * When the buffer is full the track is thinned, not cut off.
 *
 * ```ts
 * const client = createLocationClient({ url: 'https://locations.example', token: () => session.token });
 * navigator.geolocation.watchPosition(({ coords, timestamp }) =>
 *   client.add({ lat: coords.latitude, lng: coords.longitude, timestamp }),
 * );
 * ```
 */
export function createLocationClient(options: LocationClientOptions): LocationClient {
  const buffer = options.buffer ?? memoryBuffer();
  const send = options.fetch ?? globalThis.fetch;
  const random = options.random ?? Math.random;
  const setTimer = options.setTimer ?? ((action, ms) => setTimeout(action, ms));
  const batchFixes = options.batchFixes ?? 20;
  const flushMs = options.flushMs ?? 15_000;
  const nowMs = options.nowMs ?? Date.now;
  let attempts = 0;
  let timer: object | undefined;
  /** Nothing is sent until the timer fires. */
  let backingOff = false;
  /**
   * The interval that the service last requested, in milliseconds: within this time after the last batch
   * nothing is sent unless the caller requests it.
   */
  let everyMs = 0;
  let sentAtMs = Number.NEGATIVE_INFINITY;
  /** The caller requested a flush of all waiting fixes, not only of full batches. */
  let wanted = false;
  let sending: Promise<void> | undefined;

  /** Only the timer that was set last counts. */
  function wakeIn(ms: number): void {
    const mine = {};
    timer = mine;
    setTimer(() => {
      if (timer !== mine) return;
      timer = undefined;
      backingOff = false;
      if (tooSoonMs() > 0) wakeIn(tooSoonMs());
      else void flush();
    }, ms);
  }

  function backOff(retryAfterMs: number): void {
    const ceiling = Math.min(retryLastMs, retryFirstMs * 2 ** attempts);
    attempts++;
    // Full jitter in addition to the requested delay, so that clients that were refused at the same time do
    // not return at the same time.
    backingOff = true;
    wakeIn(retryAfterMs + random() * ceiling);
  }

  async function sendOne(): Promise<boolean> {
    // Fixes collected during a long interval are sent in one batch, not in several.
    const gathered = everyMs > flushMs ? Math.min(serviceFixesMax, buffer.size) : 0;
    const batch = buffer.batch(Math.max(batchFixes, gathered));
    if (batch === undefined) return false;
    let response: Response;
    try {
      response = await send(`${options.url}/v1/locations`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${await options.token()}`,
          'content-type': 'application/x-protobuf',
        },
        body: encodeUpload(batch.fixes, batch.id),
      });
    } catch {
      backOff(0);
      return false;
    }
    if (passing.has(response.status)) {
      backOff(retryAfterMs(response.headers.get('retry-after')));
      return false;
    }
    attempts = 0;
    sentAtMs = nowMs();
    buffer.acknowledge(batch.id);
    const answer = (await response.json().catch(() => ({}))) as { detail?: string; send_every_s?: number };
    if (!response.ok) options.onRefused?.(answer.detail ?? `status ${response.status}`, batch.fixes);
    else if (answer.send_every_s !== undefined) {
      everyMs = Math.min(everyMsMax, answer.send_every_s * 1_000);
      options.onSampling?.(answer.send_every_s);
    }
    return true;
  }

  async function drain(): Promise<void> {
    while (!backingOff && (wanted || (buffer.size >= batchFixes && tooSoonMs() === 0)) && (await sendOne()));
    wanted = false;
    sending = undefined;
    // The fixes for which it was set are sent.
    if (!backingOff) timer = undefined;
    if (buffer.size > 0 && timer === undefined) wakeIn(Math.max(flushMs, tooSoonMs()));
  }

  /** Until the service wants the next batch. */
  function tooSoonMs(): number {
    return Math.max(0, sentAtMs + everyMs - nowMs());
  }

  function flush(): Promise<void> {
    if (backingOff) return Promise.resolve();
    wanted = true;
    sending ??= drain();
    return sending;
  }

  return {
    add(fix) {
      buffer.add(fix, thin);
      if (backingOff || sending !== undefined) return;
      if (buffer.size >= batchFixes && tooSoonMs() === 0) sending = drain();
      else if (timer === undefined) wakeIn(Math.max(flushMs, tooSoonMs()));
    },
    flush,
    get waiting() {
      return buffer.size;
    },
  };
}

/** Seconds or a date, as RFC 9110 has it. */
function retryAfterMs(header: string | null): number {
  if (header === null) return 0;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1_000);
  const date = Date.parse(header);
  return Number.isNaN(date) ? 0 : Math.max(0, date - Date.now());
}
