import type { Histogram, HistogramCounts, Labels } from './metrics.js';

/**
 * Histograms of one name, counted in typed arrays: an observation costs a few comparisons, whereas the driver
 * looks up the labels each time. The text is generated at scrape.
 */
export class HistogramFamily {
  readonly #name: string;
  readonly #help: string;
  readonly #bounds: readonly number[];
  readonly #children: { readonly labels: Labels; readonly counts: Float64Array; sum: number }[] = [];

  constructor(name: string, help: string, bounds: readonly number[]) {
    this.#name = name;
    this.#help = help;
    this.#bounds = bounds.toSorted((left, right) => left - right);
  }

  child(labels: Labels): Histogram {
    const bounds = this.#bounds;
    // One more than the bounds: the last counts values above all of them.
    const child = { labels, counts: new Float64Array(bounds.length + 1), sum: 0 };
    this.#children.push(child);
    return {
      observe: (value) => {
        let bucket = 0;
        while (bucket < bounds.length && value > (bounds[bucket] ?? 0)) bucket += 1;
        child.counts[bucket] = (child.counts[bucket] ?? 0) + 1;
        child.sum += value;
      },
    };
  }

  counts(): readonly HistogramCounts[] {
    return this.#children.map(({ labels, counts }) => ({ labels, bounds: this.#bounds, counts }));
  }

  render(): string {
    const lines = [`# HELP ${this.#name} ${this.#help}`, `# TYPE ${this.#name} histogram`];
    for (const { labels, counts, sum } of this.#children) {
      const own = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`);
      let total = 0;
      for (const [at, count] of counts.entries()) {
        total += count;
        const bound = [`le="${this.#bounds[at] ?? '+Inf'}"`, ...own].join();
        lines.push(`${this.#name}_bucket{${bound}} ${total}`);
      }
      const braces = own.length === 0 ? '' : `{${own.join()}}`;
      lines.push(`${this.#name}_sum${braces} ${sum}`, `${this.#name}_count${braces} ${total}`);
    }
    return `${lines.join('\n')}\n`;
  }
}

function escapeLabel(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');
}
