import { crc32, deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { seeded } from '#bench/routing/seeded.js';
import { InvalidTile, openTile, sealTile, tileBytesMax } from '#map-data/tiles/tile-envelope.js';
import { kindByte } from '#map-data/tiles/tile-kinds.js';

const text = new TextEncoder().encode(
  Array.from({ length: 400 }, (_, n) => `node ${(n * 7919) % 1_000} of way ${n % 37}`).join('; '),
);
const head = 16;

/** A copy with other bytes in its header, and the checksum that belongs to them. */
function forged(bytes: Uint8Array, change: (view: DataView) => void): Uint8Array {
  const copy = bytes.slice();
  const view = new DataView(copy.buffer);
  change(view);
  view.setUint32(copy.length - 4, crc32(copy.subarray(0, -4)));
  return copy;
}
const faultOf = (bytes: Uint8Array): string => {
  try {
    openTile('roads', bytes);
    return 'opened';
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidTile);
    return (error as Error).message;
  }
};

describe('a sealed tile', () => {
  const sealed = sealTile('roads', text);

  it('has the header that is described, the packed payload and a checksum of both', () => {
    const packed = deflateRawSync(text, { level: 6 });
    // The level shows: another one packs this text otherwise.
    expect(deflateRawSync(text, { level: 5 }).equals(packed)).toBe(false);
    const view = new DataView(sealed.buffer);
    expect(Buffer.from(sealed.subarray(0, 8)).toString('latin1')).toBe(
      `MRTL\0\u0004${String.fromCharCode(kindByte.roads)}\0`,
    );
    expect([view.getUint32(8), view.getUint32(12)]).toEqual([text.length, packed.length]);
    expect(packed.equals(sealed.subarray(head, -4))).toBe(true);
    expect(view.getUint32(sealed.length - 4)).toBe(crc32(sealed.subarray(0, -4)));
    expect(openTile('roads', sealed)).toEqual(Buffer.from(text));
  });

  it('opens within a larger buffer, and without a payload', () => {
    const larger = new Uint8Array(sealed.length + 9);
    larger.set(sealed, 5);
    expect(openTile('roads', larger.subarray(5, 5 + sealed.length))).toEqual(Buffer.from(text));
    expect(openTile('roads', sealTile('roads', new Uint8Array(0)))).toHaveLength(0);
  });

  it.each<[string, Uint8Array, string]>([
    ['too short for a header', sealed.slice(0, 19), 'it is cut off at 19 bytes'],
    ['a header alone', forged(sealed.slice(0, 20), (view) => view.setUint32(12, 0)), 'it does not unpack'],
    ['other first bytes', forged(sealed, (view) => view.setUint8(3, 0x4d)), 'it does not begin with "MRTL"'],
    [
      'another version',
      forged(sealed, (view) => view.setUint16(4, 5)),
      'its format is version 5, this program reads 4',
    ],
    ['a byte less', sealed.slice(0, -1), `it has ${sealed.length - 1} bytes and says ${sealed.length}`],
    [
      'a byte more',
      new Uint8Array([...sealed, 0]),
      `it has ${sealed.length + 1} bytes and says ${sealed.length}`,
    ],
    ['a changed bit', sealed.with(30, sealed[30]! ^ 1), 'its checksum does not match'],
    ['a changed bit of the header', sealed.with(7, 1), 'its checksum does not match'],
    ['another kind', sealTile('weights', text), 'it is of another kind than its name says'],
    [
      'an unknown flag',
      forged(sealed, (view) => view.setUint8(7, 1)),
      'it is of another kind than its name says',
    ],
    ['a payload that is none', forged(sealed, (view) => view.setUint8(head, 0xff)), 'it does not unpack'],
    [
      'a stated length that is too small',
      forged(sealed, (view) => view.setUint32(8, text.length - 1)),
      'it does not unpack',
    ],
    [
      'a stated length that is too large',
      forged(sealed, (view) => view.setUint32(8, text.length + 1)),
      'it unpacks to another length than it says',
    ],
  ])('%s is refused with its reason', (_, bytes, reason) => {
    expect(faultOf(bytes)).toBe(reason);
  });

  it('unpacks to 16 MiB, not to a byte more, and no larger one is written', () => {
    const most = 16 * 1024 * 1024;
    const largest = sealTile('roads', new Uint8Array(most));
    expect(openTile('roads', largest)).toHaveLength(most);
    const larger = forged(largest, (view) => view.setUint32(8, most + 1));
    expect(faultOf(larger)).toBe(`it unpacks to ${most + 1} bytes`);
    expect(() => sealTile('roads', new Uint8Array(most + 1))).toThrow(
      `a roads tile has ${most + 1} bytes, ${most} are allowed; build with smaller cells`,
    );
  });

  it('packs to 512 KiB, not to a byte more', () => {
    const next = seeded(5);
    const noise = Uint8Array.from({ length: tileBytesMax }, () => Math.floor(256 * next()));
    const about = tileBytesMax - 200;
    const length = about + tileBytesMax - sealTile('roads', noise.subarray(0, about)).length;
    expect(tileBytesMax).toBe(524_288);
    expect(sealTile('roads', noise.subarray(0, length))).toHaveLength(tileBytesMax);
    expect(() => sealTile('roads', noise.subarray(0, length + 1))).toThrow(
      `a roads tile packs to ${tileBytesMax + 1} bytes, ${tileBytesMax} are allowed`,
    );
  });
});
