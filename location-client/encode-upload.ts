/** One position of the device. */
export interface Fix {
  /** Degrees, WGS 84. */
  readonly lat: number;
  readonly lng: number;
  /** Unix milliseconds, whole. */
  readonly timestamp: number;
  /** Metres. */
  readonly accuracy?: number;
  /** Metres per second. */
  readonly speed?: number;
  /** Degrees clockwise from north. */
  readonly heading?: number;
}

const E7 = 1e7;

/**
 * `meridian.location.v1.LocationUpload` (schemas/proto/location.proto): packed columns of differences, about a seventh of the
 * same batch as JSON. Without any dependency, for browsers and Node.
 */
export function encodeUpload(fixes: readonly Fix[], batchId?: string): Uint8Array<ArrayBuffer> {
  const bytes: number[] = [];
  if (batchId !== undefined) {
    const text = new TextEncoder().encode(batchId);
    writeField(bytes, 2, [...text]);
  }
  writeField(
    bytes,
    4,
    differences(fixes, ({ lat }) => Math.round(lat * E7), true),
  );
  writeField(
    bytes,
    5,
    differences(fixes, ({ lng }) => Math.round(lng * E7), true),
  );
  writeField(
    bytes,
    6,
    differences(fixes, ({ timestamp }) => timestamp, false),
  );
  writeField(
    bytes,
    7,
    plusOnes(fixes, ({ accuracy }) => accuracy, 10),
  );
  writeField(
    bytes,
    8,
    plusOnes(fixes, ({ speed }) => speed, 100),
  );
  writeField(
    bytes,
    9,
    plusOnes(fixes, ({ heading }) => heading, 10),
  );
  return Uint8Array.from(bytes);
}

function writeField(out: number[], number: number, content: readonly number[]): void {
  if (content.length === 0) return;
  writeVarint(out, number * 8 + 2);
  writeVarint(out, content.length);
  for (const byte of content) out.push(byte);
}

/** `wrap`: the difference as a 32-bit integer, so that the 180th meridian is crossed by a short step. */
function differences(fixes: readonly Fix[], columnOf: (fix: Fix) => number, wrap: boolean): number[] {
  const column: number[] = [];
  let before = 0;
  for (const fix of fixes) {
    const value = columnOf(fix);
    const difference = wrap ? (value - before) | 0 : value - before;
    before = value;
    writeVarint(column, difference >= 0 ? difference * 2 : -difference * 2 - 1);
  }
  return column;
}

/** Empty when no fix has the value; 0 for the single one that has not. */
function plusOnes(
  fixes: readonly Fix[],
  columnOf: (fix: Fix) => number | undefined,
  scale: number,
): number[] {
  if (fixes.every((fix) => columnOf(fix) === undefined)) return [];
  const column: number[] = [];
  for (const fix of fixes) {
    const value = columnOf(fix);
    writeVarint(column, value === undefined ? 0 : Math.round(value * scale) + 1);
  }
  return column;
}

function writeVarint(out: number[], value: number): void {
  let rest = value;
  for (; rest > 0x7f; rest = Math.floor(rest / 128)) out.push((rest % 128) | 0x80);
  out.push(rest);
}
