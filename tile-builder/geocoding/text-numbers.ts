import type { IndexColumns } from './index-file.js';

/** Gives each text its number, by first appearance. */
export class TextNumbers {
  readonly texts: string[] = [];
  readonly #numbers = new Map<string, number>();

  of(text: string): number {
    if (text === '' && this.texts[0] === '') return 0;
    let number = this.#numbers.get(text);
    if (number === undefined) {
      number = this.texts.length;
      this.texts.push(text);
      this.#numbers.set(text, number);
    }
    return number;
  }

  columns(): Pick<IndexColumns, 'textFirst' | 'textBytes'> {
    const encoded = this.texts.map((text) => new TextEncoder().encode(text));
    const textFirst = new Uint32Array(encoded.length + 1);
    encoded.forEach((bytes, index) => {
      textFirst[index + 1] = textFirst[index] + bytes.length;
    });
    const textBytes = new Uint8Array(textFirst[encoded.length]);
    for (const [index, bytes] of encoded.entries()) textBytes.set(bytes, textFirst[index]);
    return { textFirst, textBytes };
  }
}
