/** The most frequent text, of several the first in the alphabet; empty if there are only empty ones. */
export function mostCommon(texts: Iterable<string>): string {
  const counts = new Map<string, number>();
  for (const text of texts) if (text !== '') counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))[0]?.[0] ?? '';
}
