import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VarintReader, VarintWriter } from '#map-data/tiles/varints.js';

/** LEB128 by its definition, with numbers of any size. */
function leb128(value: bigint): number[] {
  const low = Number(value & 127n);
  return value < 128n ? [low] : [low | 128, ...leb128(value >> 7n)];
}
const zigzag = (value: bigint): bigint => (value < 0n ? -2n * value - 1n : 2n * value);
function written(write: (writer: VarintWriter) => void): Uint8Array {
  const writer = new VarintWriter();
  write(writer);
  return writer.bytes();
}
const bounds = [7, 14, 21, 28, 31, 32, 35, 42, 49, 52].flatMap((bits) => [2 ** bits - 1, 2 ** bits]);

describe('varints', () => {
  it.each([0, 1, ...bounds, 2 ** 53 - 1])('%d is written as LEB128, and read back', (value) => {
    const bytes = written((writer) => writer.unsigned(value));
    expect([...bytes]).toEqual(leb128(BigInt(value)));
    const reader = new VarintReader(bytes);
    expect(reader.unsigned()).toBe(value);
    expect(reader.isAtEnd()).toBe(true);
  });

  it('numbers of either sign are written as zigzag, and read back', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (any) => {
        const value = Math.trunc(any / 2);
        const bytes = written((writer) => writer.signed(value));
        expect([...bytes]).toEqual(leb128(zigzag(BigInt(value))));
        // There is one zero.
        expect(new VarintReader(bytes).signed() + 0).toBe(value + 0);
      }),
      { examples: [[0], [2], [-2], [4], [-4]] },
    );
  });

  it('texts, bytes and numbers follow each other through every growth of the buffer', () => {
    const long = new Uint8Array(40_000).fill(7);
    const bytes = written((writer) => {
      for (let n = 0; n < 16_381; n += 1) writer.unsignedByte(n % 256);
      writer.unsigned(2 ** 53 - 1);
      writer.text(long);
      for (let n = 0; n < 50_000; n += 1) writer.unsignedByte(n % 256);
      writer.text(new Uint8Array(0));
      expect(writer.length).toBe(16_381 + 8 + 3 + 40_000 + 50_000 + 1);
      expect(writer.written()).toEqual(writer.bytes());
    });
    const reader = new VarintReader(bytes);
    for (let n = 0; n < 16_381; n += 1) expect(reader.unsignedByte()).toBe(n % 256);
    expect(reader.unsigned()).toBe(2 ** 53 - 1);
    expect(reader.textBytes()).toEqual(long);
    for (let n = 0; n < 50_000; n += 1) expect(reader.unsignedByte()).toBe(n % 256);
    expect(reader.isAtEnd()).toBe(false);
    expect(reader.textBytes()).toHaveLength(0);
    reader.end();
  });

  it.each([16_382, 16_383, 16_384])('a text grows a buffer that holds %d bytes', (before) => {
    const bytes = written((writer) => {
      for (let n = 0; n < before; n += 1) writer.unsignedByte(1);
      writer.text(Uint8Array.of(5, 6));
    });
    expect([...bytes.subarray(before)]).toEqual([2, 5, 6]);
  });

  it('what was taken stays after the writer is cleared, a view does not', () => {
    const writer = new VarintWriter();
    writer.unsigned(300);
    const [taken, view] = [writer.bytes(), writer.written()];
    writer.clear();
    expect(writer.length).toBe(0);
    writer.unsigned(5);
    expect([[...taken], [...view]]).toEqual([
      [172, 2],
      [5, 2],
    ]);
  });
});

describe('what no writer wrote', () => {
  const tooEarly = 'the tile ends too early';
  const read = (...bytes: readonly number[]) => new VarintReader(Uint8Array.from(bytes));

  it('ends too early', () => {
    expect(() => read().unsigned()).toThrow(new RangeError(tooEarly));
    expect(() => read(128).unsigned()).toThrow(new RangeError(tooEarly));
    expect(() => read(128, 128).unsigned()).toThrow(new RangeError(tooEarly));
    expect(() => read().unsignedByte()).toThrow(new RangeError(tooEarly));
    expect(() => read(3, 1, 2).textBytes()).toThrow(RangeError);
  });

  it('has more than eight bytes in a number', () => {
    const seven = Array.from({ length: 7 }, () => 128);
    expect(read(...seven, 1).unsigned()).toBe(2 ** 49);
    expect(() => read(...seven, 128, 1).unsigned()).toThrow(new RangeError('a number that is too long'));
  });

  it('counts more than it has bytes for', () => {
    const message = 'a count that is larger than the tile';
    expect(read(2, 0, 0).count()).toBe(2);
    expect(() => read(3, 0, 0).count()).toThrow(new RangeError(message));
    expect(read(2, 0, 0, 0, 0).count(2)).toBe(2);
    expect(() => read(2, 0, 0, 0).count(2)).toThrow(new RangeError(message));
  });

  it('is longer than what it holds', () => {
    const reader = read(1, 2);
    reader.unsigned();
    expect(() => reader.end()).toThrow(new RangeError('the tile is longer than what it holds'));
    reader.unsigned();
    expect(() => reader.end()).not.toThrow();
  });
});
