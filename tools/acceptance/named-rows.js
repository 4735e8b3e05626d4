/** Rows in the titles of a file of tests; a title may name several: `M-001, M-002: …`. */
export function namedRows(text) {
  const title = /\b(?:it|test|describe)(?:\.\w+(?:\([^)]*\))?)*\(\s*['"`]([^'"`]+)/g;
  return [...text.matchAll(title)].flatMap(([, words]) => words.match(/\b(?:[MHP]-\d{3}|F\d{1,2})\b/g) ?? []);
}
