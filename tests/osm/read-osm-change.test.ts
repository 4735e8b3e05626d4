import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { ChangingMap } from '#bench/map-tiles/changing-map.js';
import { writeOsc } from '#bench/map-tiles/write-osc.js';
import { seeded } from '#bench/routing/seeded.js';
import { InvalidOsmChange, readOsmChange } from '#osm/change/read-osm-change.js';
import { changeLimits } from '#osm/read/limits.js';
import { parseDegreesE7 } from '#osm/read/parse-degrees.js';
import { randomChange, smallTown } from './random-changes.js';

const folder = await mkdtemp(join(tmpdir(), 'meridian-osc-'));
afterAll(() => rm(folder, { recursive: true }));
let files = 0;
async function read(content: string | Uint8Array) {
  const file = join(folder, `${files++}.osc`);
  await writeFile(file, content);
  return (await readOsmChange(file)).change;
}
const osc = (inside: string): string =>
  `<?xml version='1.0' encoding='UTF-8'?>\n<osmChange>${inside}</osmChange>`;
const nothing = { nodes: new Map(), ways: new Map(), relations: new Map() };

describe('an OsmChange file', () => {
  it('is read as it was written, plain and compressed', async () => {
    const random = seeded(7);
    const model = new ChangingMap();
    smallTown(model.sink);
    for (let i = 0; i < 40; i++) {
      const change = randomChange(model, random);
      const text = writeOsc(change, (kind, id) => model[kind].has(id));
      expect(await read(i % 2 === 0 ? text : gzipSync(text))).toEqual(change);
      model.apply(change);
    }
  });

  it('uses the last version of each element, and may be empty', async () => {
    expect(await read('<osmChange/>')).toEqual(nothing);
    const change = await read(
      osc(`<note>made by hand <b/></note><bounds minlat="1"/>
        <create><node id="1" version="1" lat="1" lon="2"/><way id="5"><nd ref="1"/><nd ref="2"/></way></create>
        <modify><node id="1" version="2" lat="-1.5" lon="2e-1"><tag k="name" v="a &amp; b&#10;ü"/></node></modify>
        <delete><way id="5" version="2"><nd ref="1"/></way><relation id="7"/></delete>
        <modify><node id="2" visible="false"/></modify>`),
    );
    expect(change.nodes).toEqual(
      new Map([
        [1, { lngE7: 2_000_000, latE7: -15_000_000, tags: new Map([['name', 'a & b\nü']]) }],
        [2, null],
      ]),
    );
    expect(change.ways).toEqual(new Map([[5, null]]));
    expect(change.relations).toEqual(new Map([[7, null]]));
  });

  it.each([
    ['an empty file', '', /must contain a root element|line 1/],
    [
      'a file that ends too early',
      osc('<create><node id="1" lat="1" lon="1"/></create>').slice(0, -9),
      /unclosed tag/,
    ],
    ['what is no XML', 'Not found', /text data outside of root node|line 1, column/],
    ['another root', '<osm version="0.6"/>', /begins with <osm> and not with <osmChange>/],
    ['an unknown action', osc('<replace/>'), /<replace> is nothing that stands in <osmChange>/],
    [
      'an unknown element',
      osc('<create><area id="1"/></create>'),
      /<area> is nothing that stands in <create>/,
    ],
    [
      'a node of a relation',
      osc('<create><relation id="1"><nd ref="1"/></relation></create>'),
      /<nd> is nothing/,
    ],
    [
      'tags in tags',
      osc('<modify><way id="1"><nd ref="1"><tag k="a" v="b"/></nd></way></modify>'),
      /<tag>|nothing that stands in <nd>/,
    ],
    ['no id', osc('<delete><way/></delete>'), /way with id="", which is no id/],
    ['an id beyond 2^53', osc('<delete><way id="9007199254740993"/></delete>'), /which is no id/],
    ['no place', osc('<create><node id="3" lon="1"/></create>'), /node 3 with lat="", which is not on earth/],
    [
      'a place beyond the earth',
      osc('<create><node id="3" lon="180.0000001" lat="0"/></create>'),
      /lon="180.0000001"/,
    ],
    ['a place in words', osc('<create><node id="3" lon="NaN" lat="0"/></create>'), /lon="NaN"/],
    [
      'a tag without value',
      osc('<create><way id="3"><tag k="a"/></way></create>'),
      /way 3 has a tag or member without v/,
    ],
    [
      'a long text',
      osc(`<create><way id="3"><tag k="a" v="${'x'.repeat(5_000)}"/></way></create>`),
      /more than 4096 characters/,
    ],
    [
      'a member of no type',
      osc('<create><relation id="3"><member type="x" ref="1" role=""/></relation></create>'),
      /no known type/,
    ],
    [
      'an entity of its own',
      `<!DOCTYPE x [<!ENTITY a "b">]>${osc('<create><way id="3"><tag k="&a;" v=""/></way></create>').slice(38)}`,
      /entity/,
    ],
    [
      'another encoding',
      '<?xml version="1.0" encoding="ISO-8859-1"?><osmChange/>',
      /ISO-8859-1 and not in UTF-8/,
    ],
    [
      'bytes that are no text',
      Buffer.from([...Buffer.from('<osmChange>'), 0xff, 0xfe]),
      /encoded data was not valid/,
    ],
    [
      'an endless tag',
      `<osmChange ${' '.repeat(changeLimits.silentCharactersMax + 200_000)}/>`,
      /characters without a tag/,
    ],
    ['endless depth', `<osmChange><note>${'<a>'.repeat(40)}`, /without end/],
    [
      'a packed file that ends too early',
      gzipSync(osc('<create/>')).subarray(0, -12),
      /unexpected end of file/,
    ],
    ['a packed file that is damaged', gzipSync(osc('<create/>')).fill(7, 12, 20), /line 1/],
  ])('rejects a damaged file with the position: %s', async (_, content, message) => {
    await expect(read(content)).rejects.toThrow(message);
    await expect(read(content)).rejects.toThrow(InvalidOsmChange);
    await expect(read(content)).rejects.toThrow(/at line \d+, column \d+; the change file is damaged/);
  });

  it('limits the size of an element', async () => {
    const way = (inside: string): string => osc(`<create><way id="3">${inside}</way></create>`);
    const tags = Array.from({ length: changeLimits.tagsMax + 1 }, (_, i) => `<tag k="${i}" v=""/>`).join('');
    await expect(read(way(tags))).rejects.toThrow(/way 3 has more than 5000 tags/);
    await expect(read(way('<nd ref="1"/>'.repeat(changeLimits.refsMax + 1)))).rejects.toThrow(
      /way 3 has more than 100000 nodes/,
    );
  });
});

describe('degrees', () => {
  it.each([
    ['0', 0],
    ['-0.00000004', 0],
    ['1', 10_000_000],
    ['14.4123456', 144_123_456],
    ['-0.1234567', -1_234_567],
    ['1.00000005', 10_000_001],
    ['-1.00000005', -10_000_001],
    ['1.000000049999999999', 10_000_000],
    ['.5', 5_000_000],
    ['5.', 50_000_000],
    ['+2.5', 25_000_000],
    ['1.0E-4', 1_000],
    ['9.6e-06', 96],
    ['4e-9', 0],
    ['1.8e2', 1_800_000_000],
    ['', Number.NaN],
    ['.', Number.NaN],
    ['-', Number.NaN],
    ['1,5', Number.NaN],
    ['0x10', Number.NaN],
    ['Infinity', Number.NaN],
    [' 1', Number.NaN],
  ])('%j is %d of 1e-7', (text, e7) => {
    expect(parseDegreesE7(text)).toBe(e7);
  });

  it('reads every coordinate as the number that was written', () => {
    const random = seeded(3);
    for (let i = 0; i < 20_000; i++) {
      const e7 = Math.floor(random() * 3_600_000_001) - 1_800_000_000;
      expect(parseDegreesE7((e7 / 1e7).toFixed(7))).toBe(e7 + 0);
    }
  });
});
