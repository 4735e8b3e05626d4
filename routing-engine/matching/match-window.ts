/** Layout of `toBytes`; another one is refused. */
const layoutVersion = 1;
const columnBytes = 8 + 4 + 4 + 4 + 4 + 2;
const stateBytes = 4 + 4 + 4 + 1;
/** States of one column, and what one may cost. */
const statesMax = 100;
const costMax = 1e9;

/** The stored window is of another layout or damaged: begin again. */
export class InvalidMatchWindow extends Error {
  override readonly name = 'InvalidMatchWindow';
}

/**
 * The undecided columns of the trellis, after the last decided one:
 *
 * ```text
 *   column      0          1          2            first[c] … first[c+1]-1 are the states of column c
 *             decided ◀── state ◀── state          back[s]: the state of the previous column that leads to s,
 *                     ╲    state ◀── state                  counted within its column; noBack without one
 *                      ◀── state ◀── off road      edge[s] = -1: off road
 * ```
 * Invariant: `isAnchored` says that column 0 is decided and has one state.
 */
export class MatchWindow {
  columns = 0;
  isAnchored = false;
  timeMs = new Float64Array(32);
  lngE7 = new Int32Array(32);
  latE7 = new Int32Array(32);
  /** Expected error of the point. */
  sigmaM = new Float32Array(32);
  /** The amount that `levelLast` subtracted from the costs of the column. */
  level = new Float32Array(32);
  first = new Int32Array(33);
  edge = new Int32Array(512);
  fraction = new Float32Array(512);
  cost = new Float32Array(512);
  back = new Int8Array(512);

  clear(): void {
    this.columns = 0;
    this.isAnchored = false;
    this.first[0] = 0;
  }

  /** Opens a column without states; `addState` fills it. */
  addColumn(timeMs: number, lngE7: number, latE7: number, sigmaM: number): void {
    const column = this.columns++;
    if (this.columns >= this.timeMs.length) this.#growColumns();
    this.timeMs[column] = timeMs;
    this.lngE7[column] = lngE7;
    this.latE7[column] = latE7;
    this.sigmaM[column] = sigmaM;
    this.level[column] = 0;
    this.first[column + 1] = this.first[column];
  }

  addState(edge: number, fraction: number, cost: number, back: number): void {
    const state = this.first[this.columns]++;
    if (state >= this.edge.length) this.#growStates();
    this.edge[state] = edge;
    this.fraction[state] = fraction;
    this.cost[state] = cost;
    this.back[state] = back;
  }

  /**
   * Costs are relative to the best state of the last column, so that they stay exact for any length of trace.
   */
  levelLast(): void {
    const from = this.first[this.columns - 1];
    const end = this.first[this.columns];
    let least = Number.POSITIVE_INFINITY;
    for (let state = from; state < end; state++) least = Math.min(least, this.cost[state]);
    for (let state = from; state < end; state++) this.cost[state] -= least;
    this.level[this.columns - 1] = least;
  }

  /** Removes the last column's states that cost more than `most`. */
  pruneLast(most: number): void {
    const from = this.first[this.columns - 1];
    const end = this.first[this.columns];
    let kept = from;
    for (let state = from; state < end; state++) {
      if (this.cost[state] > most) continue;
      this.edge[kept] = this.edge[state];
      this.fraction[kept] = this.fraction[state];
      this.cost[kept] = this.cost[state];
      this.back[kept] = this.back[state];
      kept++;
    }
    this.first[this.columns] = kept;
  }

  /** Forgets the first columns. */
  dropFirst(columns: number): void {
    const states = this.first[columns];
    const end = this.first[this.columns];
    this.timeMs.copyWithin(0, columns, this.columns);
    this.lngE7.copyWithin(0, columns, this.columns);
    this.latE7.copyWithin(0, columns, this.columns);
    this.sigmaM.copyWithin(0, columns, this.columns);
    this.level.copyWithin(0, columns, this.columns);
    this.edge.copyWithin(0, states, end);
    this.fraction.copyWithin(0, states, end);
    this.cost.copyWithin(0, states, end);
    this.back.copyWithin(0, states, end);
    for (let column = columns; column <= this.columns; column++)
      this.first[column - columns] = this.first[column] - states;
    this.columns -= columns;
  }

  /** Keeps one state of column 0 and what descends from it. */
  keepDescendants(state: number): void {
    let kept: number[] = [state];
    let write = 0;
    for (let column = 0; column < this.columns; column++) {
      const from = this.first[column];
      const end = this.first[column + 1];
      const next: number[] = [];
      this.first[column] = write;
      for (let at = from; at < end; at++) {
        const back = column === 0 ? (at === state ? 0 : -1) : kept.indexOf(this.back[at]);
        if (back < 0) continue;
        next.push(at - from);
        this.edge[write] = this.edge[at];
        this.fraction[write] = this.fraction[at];
        this.cost[write] = this.cost[at];
        this.back[write++] = column === 0 ? noBack : back;
      }
      kept = next;
    }
    this.first[this.columns] = write;
  }

  /** [columns] how many roads of the column are on a history that costs at most `most` at the last one. */
  likelyRoads(most: number): Int32Array {
    const counts = new Int32Array(this.columns);
    let alive = new Set<number>();
    for (let state = this.first[this.columns - 1]; state < this.first[this.columns]; state++)
      if (this.cost[state] <= most) alive.add(state);
    for (let column = this.columns - 1; column >= 0; column--) {
      const before = new Set<number>();
      for (const state of alive) {
        if (this.edge[state] >= 0) counts[column]++;
        if (column > 0) before.add(this.first[column - 1] + this.back[state]);
      }
      alive = before;
    }
    return counts;
  }

  toBytes(): Uint8Array {
    const states = this.first[this.columns];
    const bytes = new Uint8Array(4 + columnBytes * this.columns + stateBytes * states);
    const view = new DataView(bytes.buffer);
    view.setUint8(0, layoutVersion);
    view.setUint8(1, this.isAnchored ? 1 : 0);
    view.setUint16(2, this.columns);
    let at = 4;
    for (let column = 0; column < this.columns; column++) {
      view.setFloat64(at, this.timeMs[column]);
      view.setInt32(at + 8, this.lngE7[column]);
      view.setInt32(at + 12, this.latE7[column]);
      view.setFloat32(at + 16, this.sigmaM[column]);
      view.setFloat32(at + 20, this.level[column]);
      view.setUint16(at + 24, this.first[column + 1] - this.first[column]);
      at += columnBytes;
    }
    for (let state = 0; state < states; state++) {
      view.setInt32(at, this.edge[state]);
      view.setFloat32(at + 4, this.fraction[state]);
      view.setFloat32(at + 8, this.cost[state]);
      view.setInt8(at + 12, this.back[state]);
      at += stateBytes;
    }
    return bytes;
  }

  /** Throws `InvalidMatchWindow`. `edgeCount`: edges of the network that the window was made on. */
  fromBytes(bytes: Uint8Array, edgeCount: number): void {
    this.clear();
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (bytes.length < 4 || view.getUint8(0) !== layoutVersion)
      throw new InvalidMatchWindow(`it has layout ${bytes[0]}, we read ${layoutVersion}`);
    const columns = view.getUint16(2);
    const isAnchored = view.getUint8(1) === 1;
    let state = 4 + columnBytes * columns;
    if (bytes.length < state) throw new InvalidMatchWindow('it is too short');
    for (let column = 0; column < columns; column++) {
      const at = 4 + columnBytes * column;
      const timeMs = view.getFloat64(at);
      const sigmaM = view.getFloat32(at + 16);
      const level = view.getFloat32(at + 20);
      const isLater = column === 0 || timeMs > this.timeMs[column - 1];
      if (
        !(Number.isFinite(timeMs) && isLater && sigmaM >= 1 && sigmaM <= 1_000 && Math.abs(level) <= costMax)
      )
        throw new InvalidMatchWindow('a column has impossible values');
      this.addColumn(timeMs, view.getInt32(at + 8), view.getInt32(at + 12), sigmaM);
      this.level[column] = level;
      const count = view.getUint16(at + 24);
      const before = column === 0 ? 0 : this.first[column] - this.first[column - 1];
      if (count === 0 || count > statesMax || bytes.length < state + stateBytes * count)
        throw new InvalidMatchWindow('its states are missing');
      for (let i = 0; i < count; i++, state += stateBytes) {
        const edge = view.getInt32(state);
        const fraction = view.getFloat32(state + 4);
        const cost = view.getFloat32(state + 8);
        const back = view.getInt8(state + 12);
        const isKnown = edge >= -1 && edge < edgeCount && (column === 0 ? back === noBack : back >= 0);
        if (
          !(
            isKnown &&
            back < before + (column === 0 ? 1 : 0) &&
            fraction >= 0 &&
            fraction <= 1 &&
            cost <= costMax
          )
        )
          throw new InvalidMatchWindow('a state has impossible values');
        this.addState(edge, fraction, cost, back);
      }
    }
    if (state !== bytes.length || (isAnchored && this.first[Math.min(1, columns)] !== 1))
      throw new InvalidMatchWindow('its length is not that of its parts');
    this.isAnchored = isAnchored;
  }

  #growColumns(): void {
    this.timeMs = grown(this.timeMs, new Float64Array(2 * this.timeMs.length));
    this.lngE7 = grown(this.lngE7, new Int32Array(2 * this.lngE7.length));
    this.latE7 = grown(this.latE7, new Int32Array(2 * this.latE7.length));
    this.sigmaM = grown(this.sigmaM, new Float32Array(2 * this.sigmaM.length));
    this.level = grown(this.level, new Float32Array(2 * this.level.length));
    this.first = grown(this.first, new Int32Array(2 * this.first.length));
  }

  #growStates(): void {
    this.edge = grown(this.edge, new Int32Array(2 * this.edge.length));
    this.fraction = grown(this.fraction, new Float32Array(2 * this.fraction.length));
    this.cost = grown(this.cost, new Float32Array(2 * this.cost.length));
    this.back = grown(this.back, new Int8Array(2 * this.back.length));
  }
}

/** A state without a previous one. */
export const noBack = -1;

function grown<A extends { set(from: ArrayLike<number>): void }>(from: ArrayLike<number>, to: A): A {
  to.set(from);
  return to;
}
