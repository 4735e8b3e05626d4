import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bandOf,
  bands,
  blockName,
  numberInBlock,
  tileOfNumber,
  tilesAtMost,
} from '#map-tiles/format/block-grid.js';
import { BlockBuilder, contentHash, InvalidBlock, TileBlock } from '#map-tiles/format/tile-block.js';

function blockOf(tiles: ReadonlyMap<number, string>): { bytes: Uint8Array | undefined; asked: number } {
  const builder = new BlockBuilder('vector');
  let asked = 0;
  for (const [number, text] of [...tiles].toSorted(([a], [b]) => a - b)) {
    const bytes = Buffer.from(text);
    builder.add(number, contentHash(bytes), () => {
      asked++;
      return bytes;
    });
  }
  return { bytes: builder.finish(), asked };
}

describe('blocks of tiles', () => {
  it('a block returns the content of a plain map, with equal tiles stored once', () => {
    const model = fc.array(fc.tuple(fc.nat({ max: 400 }), fc.constantFrom('sea', 'town', 'wood', 'road')), {
      minLength: 1,
    });
    fc.assert(
      fc.property(model, (entries) => {
        const tiles = new Map(entries);
        const { bytes, asked } = blockOf(tiles);
        const block = TileBlock.from('vector', bytes!);
        for (let number = 0; number <= 401; number++) {
          const found = block.tile(number);
          expect(found && Buffer.from(found.bytes).toString()).toBe(tiles.get(number));
        }
        // One row for a run, one copy for equal tiles.
        expect(asked).toBe(new Set(tiles.values()).size);
      }),
    );
  });

  it('a block does not depend on its position: two build tiles of the same sea are one block', () => {
    const sea = new Map(Array.from({ length: 336 }, (_, number) => [number, 'sea']));
    const { bytes } = blockOf(sea);
    expect(bytes!.length).toBe(16 + 32 + 3 + 4);
  });

  it('rejects bytes that are truncated, changed, of another kind or version', () => {
    const good = Buffer.from(
      blockOf(
        new Map([
          [3, 'a'],
          [4, 'a'],
          [9, 'b'],
        ]),
      ).bytes!,
    );
    expect(() => TileBlock.from('png', good)).toThrow(InvalidBlock);
    for (let cut = 0; cut < good.length; cut++)
      expect(() => TileBlock.from('vector', good.subarray(0, cut))).toThrow(InvalidBlock);
    for (let at = 0; at < good.length; at++) {
      const changed = Buffer.from(good);
      changed[at]! ^= 0x40;
      expect(() => TileBlock.from('vector', changed)).toThrow(InvalidBlock);
    }
  });

  it('numbers every tile of every zoom once', () => {
    for (const band of bands) {
      const side = 2 ** band.root;
      const [x, y] = [Math.floor(side / 3), Math.floor(side / 2)];
      const names = new Set<string>();
      for (let number = 0; number < tilesAtMost(band); number++) {
        const tile = tileOfNumber(band, x, y, number);
        expect(numberInBlock(tile)).toBe(number);
        expect(bandOf(tile.z)).toBe(band);
        names.add(blockName(tile));
      }
      expect([...names]).toEqual([`${band.from}/${x}/${y}`]);
    }
    expect(() => bandOf(17)).toThrow(RangeError);
  });
});
