import { gunzipSync } from 'node:zlib';
import type { TransportRequest } from '#platform/http-transport/http-transport.js';
import { DiscardedBody } from './discarded-body.js';

export type BodyOutcome =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly reason: 'too-large' | 'bad-gzip' };

const tooLarge: BodyOutcome = { ok: false, reason: 'too-large' };

/**
 * Collects a body of at most `maxBytes`. A body that arrives in one piece is passed on without a copy and is
 * valid only during the call, because the transport reuses its memory.
 */
export function readBody(
  request: TransportRequest,
  announced: number | 'chunked',
  maxBytes: number,
  onEnd: (outcome: BodyOutcome) => void,
): void {
  let collected: Uint8Array | undefined;
  let size = 0;
  let rest: DiscardedBody | undefined;
  request.onBody((piece, isLast) => {
    if (rest === undefined && size + piece.byteLength > maxBytes) {
      collected = undefined;
      rest = new DiscardedBody(() => onEnd(tooLarge));
    }
    if (rest !== undefined) {
      rest.take(piece.byteLength, isLast);
      return;
    }
    if (isLast && size === 0) {
      onEnd({ ok: true, bytes: piece });
      return;
    }
    collected = grown(collected, size, piece.byteLength, announced, maxBytes);
    collected.set(piece, size);
    size += piece.byteLength;
    if (isLast) onEnd({ ok: true, bytes: collected.subarray(0, size) });
  });
}

function grown(
  present: Uint8Array | undefined,
  size: number,
  more: number,
  announced: number | 'chunked',
  maxBytes: number,
): Uint8Array {
  if (present !== undefined && present.byteLength >= size + more) return present;
  const wanted = announced === 'chunked' ? Math.min(maxBytes, Math.max(4_096, 2 * (size + more))) : announced;
  const next = new Uint8Array(Math.max(wanted, size + more));
  if (present !== undefined) next.set(present.subarray(0, size));
  return next;
}

/**
 * The limit applies to the decompressed size, so a decompression bomb is refused as soon as it exceeds it.
 */
export function inflateBody(bytes: Uint8Array, maxBytes: number): BodyOutcome {
  try {
    return { ok: true, bytes: gunzipSync(bytes, { maxOutputLength: maxBytes }) };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    return code === 'ERR_BUFFER_TOO_LARGE' ? tooLarge : { ok: false, reason: 'bad-gzip' };
  }
}
