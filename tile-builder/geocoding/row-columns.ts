import { AccessColumns } from './access-columns.js';
import { AreaSetColumns } from './area-sets.js';
import { type House, type Place, type PlaceKind, placeKinds } from './gazetteer.js';
import { type IndexColumns, NOTHING } from './index-file.js';
import type { Access } from './nearest-roads.js';
import type { Ground } from './place-grounds.js';

/** What places and houses have in common. */
export class RowColumns {
  readonly key: Float64Array;
  readonly lngE7: Int32Array;
  readonly latE7: Int32Array;
  readonly kind: Uint8Array;
  readonly #settlement: Uint32Array;
  readonly #postcode: Uint32Array;
  readonly #access: AccessColumns;
  readonly #areaSets: AreaSetColumns;
  readonly #rowOfTown: ReadonlyMap<number, number>;

  constructor(rows: number, rowOfTown: ReadonlyMap<number, number>) {
    this.key = new Float64Array(rows);
    this.lngE7 = new Int32Array(rows);
    this.latE7 = new Int32Array(rows);
    this.kind = new Uint8Array(rows);
    this.#settlement = new Uint32Array(rows).fill(NOTHING);
    this.#postcode = new Uint32Array(rows);
    this.#access = new AccessColumns(rows);
    this.#areaSets = new AreaSetColumns(rows);
    this.#rowOfTown = rowOfTown;
  }

  put(
    row: number,
    kind: PlaceKind,
    { key, lngE7, latE7 }: Place | House,
    postcode: number,
    { settlement, areas }: Ground,
    access: Access,
  ): void {
    this.key[row] = key;
    this.lngE7[row] = lngE7;
    this.latE7[row] = latE7;
    this.kind[row] = placeKinds.indexOf(kind);
    if (settlement !== undefined) this.#settlement[row] = this.#rowOfTown.get(settlement) ?? NOTHING;
    this.#postcode[row] = postcode;
    this.#areaSets.set(row, areas);
    this.#access.set(row, access);
  }

  columns() {
    return {
      key: this.key,
      lngE7: this.lngE7,
      latE7: this.latE7,
      kind: this.kind,
      settlement: this.#settlement,
      postcode: this.#postcode,
      ...this.#access.columns(),
      ...this.#areaSets.columns(),
    } satisfies Partial<IndexColumns>;
  }
}
