/** Chars of one number at most: a difference of 360 degrees at precision 6 takes 30 bits, five to a char. */
const CHARS_PER_NUMBER = 6;

const decoder = new TextDecoder();

/**
 * A line as encoded polyline, whole and in parts. Points are written as differences, so a part is its first
 * point followed by a section of the complete text: nothing is computed twice.
 *
 * ```text
 *   whole:       p0 │ p1−p0 │ p2−p1 │ p3−p2 │ p4−p3
 *   part(2, 4):  p2                 │ p3−p2 │ p4−p3
 * ```
 * The algorithm is Google's; https://developers.google.com/maps/documentation/utilities/polylinealgorithm.
 */
export class EncodedLine {
  /** All points. */
  readonly whole: string;
  readonly #lngLat: ArrayLike<number>;
  readonly #factor: number;
  /** By point: the position in `whole` after it. */
  readonly #ends: Uint32Array;

  /** `lngLat`: interleaved [lng, lat, …]; precision 5 (Google) or 6 (OSRM's polyline6). */
  constructor(lngLat: ArrayLike<number>, precision: 5 | 6 = 5) {
    const points = lngLat.length >>> 1;
    const factor = 10 ** precision;
    const chars = new Uint8Array(2 * CHARS_PER_NUMBER * points);
    const ends = new Uint32Array(points);
    let lat = 0;
    let lng = 0;
    let at = 0;
    for (let i = 0; i < points; i++) {
      const nextLat = round(lngLat[2 * i + 1] * factor);
      const nextLng = round(lngLat[2 * i] * factor);
      at = write(chars, write(chars, at, nextLat - lat), nextLng - lng);
      ends[i] = at;
      lat = nextLat;
      lng = nextLng;
    }
    this.whole = decoder.decode(chars.subarray(0, at));
    this.#lngLat = lngLat;
    this.#factor = factor;
    this.#ends = ends;
  }

  /** From one point to another, both included. */
  part(from: number, to: number): string {
    const chars = new Uint8Array(2 * CHARS_PER_NUMBER);
    const latChars = write(chars, 0, round(this.#lngLat[2 * from + 1] * this.#factor));
    const length = write(chars, latChars, round(this.#lngLat[2 * from] * this.#factor));
    return decoder.decode(chars.subarray(0, length)) + this.whole.slice(this.#ends[from], this.#ends[to]);
  }
}

/** Encoded polyline of interleaved [lng, lat, …]. */
export const encodePolyline = (lngLat: ArrayLike<number>, precision: 5 | 6 = 5): string =>
  new EncodedLine(lngLat, precision).whole;

/** Halves away from zero, as the other implementations do. */
const round = (value: number): number => (value < 0 ? -Math.floor(0.5 - value) : Math.floor(value + 0.5));

/** Five bits a char, lowest first; the sign is the lowest bit of all. Returns where the next number goes. */
function write(chars: Uint8Array, start: number, value: number): number {
  let at = start;
  let bits = value < 0 ? ~(value << 1) : value << 1;
  for (; bits >= 0x20; bits >>>= 5) chars[at++] = (0x20 | (bits & 0x1f)) + 63;
  chars[at++] = bits + 63;
  return at;
}
