/**
 * 64 bits of a multiplicative hash, as two halves. Only two versions of one item at the same place are
 * compared, so an error needs a collision of exactly these two.
 */
export class ContentMixer {
  a = 0x9e3779b9 | 0;
  b = 0x85ebca6b | 0;

  reset(): this {
    this.a = 0x9e3779b9 | 0;
    this.b = 0x85ebca6b | 0;
    return this;
  }

  add(value: number): void {
    this.a = Math.imul(this.a ^ value, 0x01000193);
    this.a ^= this.a >>> 15;
    this.b = Math.imul(this.b + value, 0xcc9e2d51 | 0);
    this.b ^= this.b >>> 13;
  }

  /** An integer beyond 32 bits, as ids are. */
  id(value: number): void {
    this.add(value | 0);
    this.add(Math.floor(value / 2 ** 32));
  }

  text(text: string): void {
    this.add(text.length);
    for (let i = 0; i < text.length; i++) this.add(text.charCodeAt(i));
  }

  numbers(line: ArrayLike<number>): void {
    this.add(line.length);
    for (let i = 0; i < line.length; i++) this.add(line[i]!);
  }
}
