import { deflateSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { disputeLimits } from '#payment/disputes/limits.js';
import { searchDocument } from '#payment/disputes/search-document.js';
import { proves } from '#tools/acceptance/proves.js';
import { glyphsOf, mapOf, type PdfStream, pdfOf } from './pdf-fixture.js';

const number = '4242424242424242';
const spaced = '4242 4242 4242 4242';
const search = (streams: readonly PdfStream[], objects?: string) =>
  searchDocument(pdfOf(streams, objects), 'application/pdf');
const page = (text: string, more: Partial<PdfStream> = {}) =>
  search([{ bytes: `BT /F1 12 Tf 72 700 Td ${text} ET`, ...more }]);
const letters = ' 0123456789Cardeip';
const ascii85 = (text: string): string => {
  const words = text.padEnd(Math.ceil(text.length / 4) * 4).match(/.{4}/gs)!;
  const groups = words.map((word) => {
    let value = Buffer.from(word, 'latin1').readUInt32BE();
    let group = '';
    for (let at = 0; at < 5; at += 1) {
      group = String.fromCharCode((value % 85) + 33) + group;
      value = Math.floor(value / 85);
    }
    return group;
  });
  return `${groups.join('')}~>`;
};
const shown = `BT 72 700 Td (${spaced}) Tj ET`;

proves('P-023', {
  asked: 'a canary sent through every route is found nowhere',
  shown: 'documents of disputes: found in 24 places of a PDF, PNG and JPEG; the same without it are accepted',
  missing: 'pixels, letters drawn as lines, and attachments that are no plain text',
  control: {
    in: 'payment/disputes/pdf-texts.ts',
    change: 'for (const map of [undefined, ...maps])',
    to: 'for (const map of [undefined])',
  },
});
it.each([
  ['a string', page(`(Paid with ${spaced}) Tj`)],
  ['a string that is not packed', page(`(${number}) Tj`, { isPacked: false })],
  [
    'escapes',
    page(String.raw`(4242\0642424\
2424242\0642) Tj`),
  ],
  ['hexadecimal digits', page(`<${Buffer.from(number).toString('hex')}> Tj`)],
  [
    'single glyphs',
    page(
      `[${number
        .split('')
        .map((digit) => `(${digit})`)
        .join(' -20 ')}] TJ`,
    ),
  ],
  [
    'blanks as moves',
    page(
      `[${spaced
        .split(' ')
        .map((four) => `(${four})`)
        .join(' -250 ')}] TJ`,
    ),
  ],
  [
    'one string after another',
    page(
      spaced
        .split(' ')
        .map((four) => `(${four}) Tj 30 0 Td`)
        .join(' '),
    ),
  ],
  [
    'its own place for each group',
    page(
      spaced
        .split(' ')
        .map((four, at) => `ET BT 1 0 0 1 ${72 + 40 * at} 650 Tm (${four}) Tj`)
        .join(' '),
    ),
  ],
  [
    'glyphs of a subset font',
    search([
      { bytes: `BT <${glyphsOf(`Card ${spaced}`, letters)}> Tj ET` },
      { bytes: mapOf('other') },
      { bytes: mapOf(letters) },
    ]),
  ],
  [
    'glyphs of a range',
    search([
      {
        bytes: `BT <${number
          .split('')
          .map((digit) => `0${digit}`)
          .join('')}> Tj ET`,
      },
      { bytes: '1 beginbfrange <00> <09> <0030> endbfrange' },
    ]),
  ],
  ['after a picture between operators', page(`ET BI /W 1 ID (\x01\x02 EI BT (${number}) Tj`)],
  [
    'text of base 85',
    search([{ dictionary: '/Filter /ASCII85Decode', bytes: ascii85(shown), isPacked: false }]),
  ],
  [
    'base 85 and packed text without its end',
    search([
      {
        dictionary: '/Filter [/ASCIIHexDecode /FlateDecode]',
        bytes: `${deflateSync(shown).subarray(0, -3).toString('hex')}>`,
        isPacked: false,
      },
    ]),
  ],
  ['the title', search([], `9 0 obj << /Title (Card ${number}) >> endobj`)],
  [
    'the title in UTF-16',
    search(
      [],
      `9 0 obj << /Title <feff${Buffer.from(number, 'utf16le').swap16().toString('hex')}> >> endobj`,
    ),
  ],
  [
    'an object in a stream',
    search([{ dictionary: '/Type /ObjStm /N 1', bytes: `9 0 << /V (${spaced}) >>` }]),
  ],
  ['XMP', search([{ dictionary: '/Type /Metadata', bytes: `<x><dc:title>${number}</dc:title></x>` }])],
  ['the code', page('(CVV: 987) Tj')],
])('P-023: a PDF with it in %s is refused', async (_, found) => {
  expect(await found).toBe('card data');
});

const chunk = (type: string, data: Uint8Array | string): Buffer => {
  const bytes = Buffer.from(data as string, 'latin1');
  const head = Buffer.alloc(8);
  head.writeUInt32BE(bytes.length);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, bytes, Buffer.alloc(4)]);
};
const png = (...chunks: readonly Buffer[]): Buffer =>
  Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...chunks, chunk('IEND', '')]);
const segment = (marker: number, text: string): Buffer => {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(text.length + 2, 2);
  return Buffer.concat([head, Buffer.from(text, 'latin1')]);
};
const jpeg = (...segments: readonly Buffer[]): Buffer =>
  Buffer.concat([Buffer.from([0xff, 0xd8]), ...segments, Buffer.from([0xff, 0xda, 0, 2]), Buffer.alloc(50)]);
const packed = deflateSync(`Card ${number}`).toString('latin1');

it.each([
  ['a text of a PNG', 'image/png', png(chunk('tEXt', `Comment\0Card ${number}`))],
  ['a packed text', 'image/png', png(chunk('zTXt', `Comment\0\0${packed}`))],
  ['an international text', 'image/png', png(chunk('iTXt', `Comment\0\x01\0en\0Note\0${packed}`))],
  ['XMP of a PNG', 'image/png', png(chunk('iTXt', `XML\0\0\0\0\0<x><y>${number}</y></x>`))],
  ['a comment of a JPEG', 'image/jpeg', jpeg(segment(0xe0, 'JFIF\0'), segment(0xfe, `Card ${number}`))],
  ['Exif in UTF-16', 'image/jpeg', jpeg(segment(0xe1, `Exif\0\0${number.split('').join('\0')}\0`))],
] as const)('P-023: a picture with it in %s is refused', async (_, type, bytes) => {
  expect(await searchDocument(bytes, type)).toBe('card data');
});

it('P-023: documents without a card number are accepted, with the numbers that invoices have', async () => {
  const lines = [
    'Invoice 2026-000017 of 2026-11-20, order 7d0a1c7e-58b2-4a57-9c3e-2b1f6a4d9e01',
    'IBAN DE89 3704 0044 0532 0130 00, BIC COBADEFFXXX',
    'Phone +49 171 1234 56789',
    'Card ending 4242, 12/30',
  ];
  const content = lines.map((line, at) => `BT 72 ${700 - 20 * at} Td (${line}) Tj ET`).join('\n');
  // Of 100 such rows four would be refused if amounts were searched.
  const rows = Array.from({ length: 2_000 }, (_, row) => {
    const [net, tax] = [100 + ((row * 7_919) % 49_999), (row * 104_729) % 9_973];
    return ['Night', row + 1, ...[net, tax, net + tax].map((minor) => (minor / 100).toFixed(2))];
  });
  const table = rows.flatMap((cells, row) => [
    `BT 72 ${-24 * row} Td ${cells.map((cell) => `(${cell}) Tj 60 0 Td`).join(' ')} ET`,
    `BT 72 ${-24 * row - 12} Td (${cells.join(' ')}) Tj ET`,
  ]);
  // The digits are on two lines.
  const split = 'BT 72 700 Td (42424242) Tj 0 -20 Td (42424242) Tj ET';
  const pixels = { dictionary: '/Subtype /Image', bytes: number };
  const streams = [content, table.join('\n'), split].map((bytes) => ({ bytes }));
  expect(await search([...streams, { bytes: mapOf(letters) }, pixels])).toBe('nothing');
  expect(await searchDocument(png(chunk('IDAT', number)), 'image/png')).toBe('nothing');
  expect(await searchDocument(jpeg(segment(0xe0, 'JFIF\0')), 'image/jpeg')).toBe('nothing');
});

proves('P-023', {
  asked: 'a canary sent through every route is found nowhere',
  shown: 'a PDF that is encrypted, damaged, packed otherwise, or has more than 8 MB of text is refused',
  control: {
    in: 'payment/disputes/pdf-texts.ts',
    change: "throw new NotSearchable(code === 'ERR_BUFFER_TOO_LARGE' ? 'too large' : 'packed');",
    to: 'return Buffer.alloc(0);',
  },
});
it('P-023: what cannot be searched is refused', async () => {
  const bomb = ' '.repeat(disputeLimits.documentTextBytesMax + 1);
  const half = { bytes: ' '.repeat(disputeLimits.documentTextBytesMax / 2 + 1) };
  const damaged = deflateSync(shown);
  damaged[8]! ^= 255;
  damaged[9]! ^= 255;
  const lzw = { dictionary: '/Filter /LZWDecode', bytes: 'x', isPacked: false };
  for (const streams of [
    [{ bytes: bomb }],
    [half, half],
    [{ dictionary: '/Filter /FlateDecode', bytes: damaged, isPacked: false }],
    [lzw],
    [{ dictionary: '/Type /XRef /Encrypt 5 0 R', bytes: 'x' }],
  ])
    expect(await search(streams)).toBe('not searchable');
  expect(await search([], 'trailer << /Encrypt 5 0 R >>')).toBe('not searchable');
  const broken = png(chunk('zTXt', 'Comment\0\0no zlib'));
  expect(await searchDocument(broken, 'image/png')).toBe('not searchable');
});
