const minuteMs = 60_000;
const minutesKept = 10;

/** How often each edge was entered, minute by minute, over the last ten. */
export class PassageCounts {
  /** Oldest first. */
  readonly #minutes: { readonly minute: number; readonly byEdge: Map<number, number> }[] = [];

  add(edge: number, nowMs: number): void {
    const minute = Math.floor(nowMs / minuteMs);
    if (this.#minutes.at(-1)?.minute !== minute) {
      this.#minutes.push({ minute, byEdge: new Map() });
      while (this.#minutes[0]!.minute <= minute - minutesKept) this.#minutes.shift();
    }
    const { byEdge } = this.#minutes.at(-1)!;
    byEdge.set(edge, (byEdge.get(edge) ?? 0) + 1);
  }

  /** Edges with a passage. */
  edges(nowMs: number): readonly number[] {
    const oldest = Math.floor(nowMs / minuteMs) - minutesKept;
    const recent = this.#minutes.filter(({ minute }) => minute > oldest);
    return [...new Set(recent.flatMap(({ byEdge }) => [...byEdge.keys()]))];
  }

  /** Passages a minute over all of the edges together; of a shorter past as if it had been ten minutes. */
  perMinute(edges: readonly number[], nowMs: number): number {
    const oldest = Math.floor(nowMs / minuteMs) - minutesKept;
    let passages = 0;
    for (const { minute, byEdge } of this.#minutes)
      if (minute > oldest) for (const edge of edges) passages += byEdge.get(edge) ?? 0;
    return passages / minutesKept;
  }
}
