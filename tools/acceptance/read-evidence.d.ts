/** @returns what the file states, with the title of its test, and what is wrong with these statements. */
export function readEvidence(
  file: string,
  text: string,
  rows: ReadonlySet<string>,
): { found: { row: string; line: number; title?: string }[]; wrong: string[] };
