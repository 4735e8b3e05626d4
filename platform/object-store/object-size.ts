import { objectStoreLimits } from './limits.js';

export function checkObjectSize(bytes: Uint8Array): void {
  const { objectBytesMax } = objectStoreLimits;
  if (bytes.byteLength > objectBytesMax) {
    throw new RangeError(
      `The object has ${bytes.byteLength} bytes; at most ${objectBytesMax} are allowed: split it.`,
    );
  }
}
