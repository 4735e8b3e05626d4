import type { OsmSink } from '#schemas/osm-sink.js';
import { readOsmPbf } from './read-osm-pbf.js';

/** The source of the map. */
export type MapSource =
  /** An OpenStreetMap extract on disk, `.osm.pbf`. */
  | { readonly kind: 'osm-pbf'; readonly file: string }
  /** Elements made by a program. */
  | { readonly kind: 'elements'; readonly read: (sink: OsmSink) => void | Promise<void> };

/** Passes every element of the source to the sink. Throws `InvalidMapSource`. */
export async function readMapSource(
  source: MapSource,
  sink: OsmSink,
  onProgress: (done: number, total: number) => void = () => {},
): Promise<void> {
  switch (source.kind) {
    case 'osm-pbf':
      return readOsmPbf(source.file, sink, onProgress);
    case 'elements':
      onProgress(0, 1);
      await source.read(sink);
      return onProgress(1, 1);
  }
}
