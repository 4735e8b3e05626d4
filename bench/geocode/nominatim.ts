import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { LatLng } from '#schemas/units.js';
import { peerSource } from '../peers/peers-folder.js';

export interface Nominatim {
  /** Places per CPU-second of Nominatim and its database. */
  reverse(places: readonly LatLng[]): Promise<number>;
  close(): Promise<void>;
}

/**
 * Nominatim in process over a database that somebody imported: `NOMINATIM_PYTHON` (with nominatim-api),
 * `NOMINATIM_PROJECT`, `NOMINATIM_DATABASE_DSN` and `NOMINATIM_PID_FILE` (`postmaster.pid`). Undefined where
 * they are not given.
 */
export async function startNominatim(): Promise<Nominatim | undefined> {
  const { NOMINATIM_PYTHON: python, NOMINATIM_PROJECT: project, NOMINATIM_PID_FILE: pidFile } = process.env;
  if (python === undefined || project === undefined || pidFile === undefined) return undefined;
  const postmaster = readFileSync(pidFile, 'utf8').split('\n')[0]!;
  const child = spawn(python, [peerSource('nominatim_peer.py'), 'serve', project, postmaster], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async <Answer>(request: object): Promise<Answer> => {
    child.stdin.write(`${JSON.stringify(request)}\n`);
    const line = await lines.next();
    if (line.done === true) throw new Error('Nominatim ended; what it printed is above');
    const answer = JSON.parse(line.value) as Answer & { readonly error?: string };
    if (answer.error !== undefined) throw new Error(`Nominatim: ${answer.error}`);
    return answer;
  };
  await ask({ do: 'hello' });
  return {
    async reverse(places) {
      const asked = { do: 'reverse', places: places.map(({ lng, lat }) => [lng, lat]) };
      const { cpuS, found } = await ask<{ readonly cpuS: number; readonly found: number }>(asked);
      if (found < places.length / 2)
        throw new Error(`void: Nominatim found ${found} of ${places.length} places`);
      return places.length / cpuS;
    },
    async close() {
      child.stdin.end();
      await closed;
    },
  };
}
