import type { Fix } from './encode-upload.js';

/** Drops every second fix of the older half: past detail is lost, but never a section of the track. */
export function thin(fixes: readonly Fix[]): Fix[] {
  const half = Math.floor(fixes.length / 2);
  return fixes.filter((_, index) => index >= half || index % 2 === 0);
}
