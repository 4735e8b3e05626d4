import { gunzipSync } from 'node:zlib';
import { PngRenderer } from './png-renderer.js';

export interface PaintTask {
  /** A vector tile in gzip; empty for a plain background. */
  readonly gzip: Uint8Array;
  readonly zoom: number;
}

const painter = new PngRenderer();

/** Entry of the thread that renders PNG tiles: one takes 5 to 30 ms, too long for a server's event loop. */
export default function paint({ gzip, zoom }: PaintTask): Promise<Uint8Array> {
  return painter.paint(gzip.length === 0 ? undefined : gunzipSync(gzip), zoom);
}
