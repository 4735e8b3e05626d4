import { InvalidMapSource, type OsmSink } from '#schemas/osm-sink.js';
import { readOsmPbf } from './read-osm-pbf.js';

/** The source of the map. */
export type MapSource =
  /** An OpenStreetMap extract on disk, `.osm.pbf`. */
  | { readonly kind: 'osm-pbf'; readonly file: string }
  /** Elements made by a program, the same ones each time. */
  | { readonly kind: 'elements'; readonly read: (sink: OsmSink) => void | Promise<void> };

/**
 * Passes every element of the source to the sink. Returns a text that is equal for the same content. Throws
 * `InvalidMapSource`.
 */
export async function readMapSource(
  source: MapSource,
  sink: OsmSink,
  onProgress: (done: number, total: number) => void = () => {},
): Promise<string> {
  switch (source.kind) {
    case 'osm-pbf':
      return readOsmPbf(source.file, sink, onProgress);
    case 'elements':
      onProgress(0, 1);
      await source.read(sink);
      onProgress(1, 1);
      return '';
  }
}

/**
 * The same again, after a first reading that returned `before`. Throws `InvalidMapSource` when the source is
 * another one now.
 */
export async function readMapSourceAgain(
  source: MapSource,
  before: string,
  sink: OsmSink,
  onProgress?: (done: number, total: number) => void,
): Promise<void> {
  if ((await readMapSource(source, sink, onProgress)) === before) return;
  const name = source.kind === 'osm-pbf' ? source.file : 'the source';
  throw new InvalidMapSource(`${name} changed while it was read; build again when it is complete`);
}
