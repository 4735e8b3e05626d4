import { deflateSync } from 'node:zlib';

/** A stream of a PDF: what its dictionary says, and its bytes before they are packed. */
export interface PdfStream {
  readonly dictionary?: string;
  readonly bytes: string | Uint8Array;
  readonly isPacked?: boolean;
}

/** A PDF with these streams, and these objects in plain text. */
export function pdfOf(streams: readonly PdfStream[], objects = ''): Buffer {
  const parts: Uint8Array[] = [Buffer.from('%PDF-1.7\n')];
  for (const [index, { dictionary = '', bytes, isPacked = true }] of streams.entries()) {
    const raw = typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes;
    const data = isPacked ? deflateSync(raw) : raw;
    const filter = isPacked ? '/Filter /FlateDecode ' : '';
    parts.push(
      Buffer.from(`${index + 1} 0 obj\n<< /Length ${data.length} ${filter}${dictionary} >>\nstream\n`),
    );
    parts.push(data, Buffer.from('\nendstream\nendobj\n'));
  }
  parts.push(Buffer.from(`${objects}\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n`, 'latin1'));
  return Buffer.concat(parts);
}

/** A `ToUnicode` stream of a subset font: glyph n + 3 is the n-th of these characters, in two bytes. */
export const mapOf = (characters: string): string =>
  `/CIDInit /ProcSet findresource begin 12 dict begin begincmap 1 begincodespacerange <0000> <FFFF>
endcodespacerange ${characters.length} beginbfchar
${characters
  .split('')
  .map((one, at) => `<${hex(at + 3)}> <${hex(one.charCodeAt(0))}>`)
  .join('\n')}
endbfchar endcmap`;

/** A text in the codes of that font. */
export const glyphsOf = (text: string, characters: string): string =>
  text
    .split('')
    .map((one) => hex(characters.indexOf(one) + 3))
    .join('');

const hex = (code: number): string => code.toString(16).padStart(4, '0');
