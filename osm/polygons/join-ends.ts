/** Lines that follow one another from end to end. */
export interface JoinedLines {
  readonly parts: readonly { readonly index: number; readonly backwards: boolean }[];
  /** The last line ends where the first one begins. */
  readonly closed: boolean;
}

/** Joins lines, given by the ids of their first and last nodes, each to the first free line at its end. */
export function joinEnds(lines: readonly { readonly ends: readonly [number, number] }[]): JoinedLines[] {
  const atNode = new Map<number, number[]>();
  lines.forEach(({ ends }, index) => {
    for (const end of ends) {
      const there = atNode.get(end);
      if (there === undefined) atNode.set(end, [index]);
      else there.push(index);
    }
  });
  const used = new Uint8Array(lines.length);
  const joined: JoinedLines[] = [];
  for (let start = 0; start < lines.length; start++) {
    if (used[start] === 1) continue;
    used[start] = 1;
    const parts = [{ index: start, backwards: false }];
    let [first, last] = lines[start]!.ends;
    while (last !== first) {
      const next = atNode.get(last)!.find((index) => used[index] === 0);
      if (next === undefined) break;
      used[next] = 1;
      const { ends } = lines[next]!;
      const backwards = ends[0] !== last;
      parts.push({ index: next, backwards });
      last = backwards ? ends[0] : ends[1];
    }
    joined.push({ parts, closed: last === first });
  }
  return joined;
}
