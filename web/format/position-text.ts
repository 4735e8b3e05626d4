import type { Position } from '#schemas/http/shapes.js';

export function positionText({ lat, lng }: Position): string {
  return `${lat.toFixed(5)}, ${lng.toFixed(5)}`;
}

/** `35.9110, 14.5020` or with a blank between; null if it is not a place on earth. */
export function parsePosition(text: string): Position | null {
  const parts = text.trim().split(/\s*[,;]\s*|\s+/);
  if (parts.length !== 2 || parts.some((part) => !/^[+-]?\d{1,3}(\.\d+)?$/.test(part))) return null;
  const [lat, lng] = parts.map(Number) as [number, number];
  return Math.abs(lat) <= 90 && Math.abs(lng) <= 180 ? { lat, lng } : null;
}
