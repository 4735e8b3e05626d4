import type { ColumnPart } from '../tiles/cell-columns.js';

const PAGE_BYTES = 4096;

/**
 * The pages of the columns that have been written. The kernel provides pages at the first write, so these use
 * memory.
 */
export class CommittedPages {
  readonly #pages = new Map<ColumnPart['column'], Set<number>>();
  #count = 0;

  get bytes(): number {
    return this.#count * PAGE_BYTES;
  }

  /** Adds all parts; or none, and returns false, if the pages would exceed `bytesMax`. */
  addWithin(bytesMax: number, parts: Iterable<ColumnPart>): boolean {
    const added: (readonly [pages: Set<number>, page: number])[] = [];
    for (const { column, firstByte, endByte } of parts) {
      const pages = this.#pagesOf(column);
      for (let page = Math.floor(firstByte / PAGE_BYTES); page * PAGE_BYTES < endByte; page++) {
        if (pages.has(page)) continue;
        pages.add(page);
        added.push([pages, page]);
      }
    }
    if ((this.#count + added.length) * PAGE_BYTES > bytesMax) {
      for (const [pages, page] of added) pages.delete(page);
      return false;
    }
    this.#count += added.length;
    return true;
  }

  #pagesOf(column: ColumnPart['column']): Set<number> {
    let pages = this.#pages.get(column);
    if (pages === undefined) {
      pages = new Set();
      this.#pages.set(column, pages);
    }
    return pages;
  }
}
