import { PreparedMaps } from '#api/map/prepared-maps.js';
import type { PaintTask } from '#map-tiles/png/png-worker.js';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import { compiledFile } from '#platform/worker-pool/compiled-file.js';
import { createWorkerPool } from '#platform/worker-pool/worker-pool.js';
import type { Context } from '../context.js';

/** The maps of the store, and a thread that renders PNG tiles that were not prepared. */
export function openPreparedMaps(context: Context, objects: ObjectStore): PreparedMaps {
  const pool = createWorkerPool({
    file: compiledFile('map-tiles/png/png-worker.js'),
    threads: 1,
  });
  context.onStop('drawing thread', () => pool.close());
  return new PreparedMaps(objects, (gzip, zoom) =>
    pool.run<PaintTask, Uint8Array>('default', { gzip, zoom }),
  );
}
