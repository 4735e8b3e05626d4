import { gunzipSync } from 'node:zlib';
import { PngPainter } from './png-painter.js';

export interface PaintTask {
  /** A vector tile in gzip; empty for plain ground. */
  readonly gzip: Uint8Array;
  readonly zoom: number;
}

const painter = new PngPainter();

/**
 * Entry of the thread that draws PNG tiles: one takes 5 to 30 ms, which the event loop of a server does not
 * have.
 */
export default function paint({ gzip, zoom }: PaintTask): Promise<Uint8Array> {
  return painter.paint(gzip.length === 0 ? undefined : gunzipSync(gzip), zoom);
}
