import type { Fix } from './encode-upload.js';

/** Every second fix of the older half: what is given up is detail of the past, never a stretch of the way. */
export function thin(fixes: readonly Fix[]): Fix[] {
  const half = Math.floor(fixes.length / 2);
  return fixes.filter((_, index) => index >= half || index % 2 === 0);
}
