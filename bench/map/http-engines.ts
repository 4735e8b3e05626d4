import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePort } from '../free-port.js';
import { mapFolder } from '../peers/peer-maps.js';
import { peerPython } from '../peers/peers-folder.js';
import { processCpuSeconds } from '../process-cpu.js';
import { type Area, extractOf } from '../routing/areas.js';
import { meridianCommand, settingsFor } from '../routing/open-area.js';

type Place = readonly [lat: number, lng: number];

export interface HttpEngine {
  readonly name: string;
  url(from: Place, to: Place): string;
  /** Of the text of an answer; null when it holds no route. */
  metresOf(text: string): number | null;
  /** Of all its processes since they began. */
  cpuSeconds(): number;
  close(): Promise<void>;
}

/** The program itself and not the Python script that calls it, whose CPU would be counted. */
const binary = (library: string, program: string): string =>
  join(dirname(peerPython), '..', 'lib', 'python3.12', 'site-packages', library, 'bin', program);

/** Ours makes the tiles of the map before it serves. */
const readyWithinMs = 600_000;

/** Ours, OSRM's `osrm-routed` and Valhalla's `valhalla_service`, each on a free port of this machine. */
export async function startEngines(area: Area): Promise<HttpEngine[]> {
  return [await startOurs(area), await startOsrm(area), await startValhalla(area)];
}

async function ready(child: ChildProcess, probe: string): Promise<void> {
  const until = performance.now() + readyWithinMs;
  while (performance.now() < until) {
    if (child.exitCode !== null) throw new Error(`${child.spawnargs.join(' ')} ended with ${child.exitCode}`);
    const answers = await fetch(probe).then(
      (response) => response.status < 500,
      () => false,
    );
    if (answers) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`${probe} does not answer`);
}

interface Served {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  readonly probe: string;
}

async function serve({
  command,
  args,
  env,
  probe,
}: Served): Promise<Pick<HttpEngine, 'cpuSeconds' | 'close'>> {
  const child = spawn(command, args, { stdio: 'ignore', ...(env === undefined ? {} : { env }) });
  const kill = (): void => void child.kill('SIGKILL');
  process.on('exit', kill);
  await ready(child, probe);
  return {
    cpuSeconds: () => processCpuSeconds(child.pid!),
    async close() {
      const closed = once(child, 'close');
      child.kill('SIGTERM');
      const late = setTimeout(kill, 10_000);
      await closed;
      clearTimeout(late);
      process.off('exit', kill);
    },
  };
}

async function startOurs(area: Area): Promise<HttpEngine> {
  const folder = mkdtempSync(join(tmpdir(), 'meridian-bench-'));
  const [port, internal] = [await freePort(), await freePort()];
  const base = `http://127.0.0.1:${port}`;
  const served = await serve({
    command: process.execPath,
    args: [meridianCommand, 'api', '--osm', extractOf(area)],
    env: {
      ...settingsFor(folder),
      PORT: String(port),
      INTERNAL_PORT: String(internal),
      HOST: '127.0.0.1',
      ROUTING_THREADS: '1',
      RATE_PER_ADDRESS: '1000000',
    },
    probe: `${base}/v1/status`,
  });
  return {
    name: 'meridian',
    url: (from, to) => `${base}/v1/nav?origin=${from.join()}&destination=${to.join()}`,
    metresOf: (text) => (JSON.parse(text) as { distance?: { value: number } }).distance?.value ?? null,
    cpuSeconds: served.cpuSeconds,
    async close() {
      await served.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function startOsrm(area: Area): Promise<HttpEngine> {
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const served = await serve({
    command: binary('osrm', 'osrm-routed'),
    args: [
      '-a',
      'MLD',
      '-t',
      '1',
      '-i',
      '127.0.0.1',
      '-p',
      String(port),
      join(mapFolder('osrm-mld', area), 'map.osrm'),
    ],
    probe: `${base}/nearest/v1/driving/0,0`,
  });
  return {
    ...served,
    name: 'osrm',
    url: ([lat1, lng1], [lat2, lng2]) =>
      `${base}/route/v1/driving/${lng1},${lat1};${lng2},${lat2}?steps=true&overview=full`,
    metresOf: (text) =>
      (JSON.parse(text) as { routes?: { distance: number }[] }).routes?.[0]?.distance ?? null,
  };
}

async function startValhalla(area: Area): Promise<HttpEngine> {
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const folder = mapFolder('valhalla', area);
  const settings = JSON.parse(readFileSync(join(folder, 'valhalla.json'), 'utf8')) as {
    httpd: { service: { listen: string } };
  };
  settings.httpd.service.listen = `tcp://127.0.0.1:${port}`;
  const own = mkdtempSync(join(tmpdir(), 'meridian-bench-'));
  const file = join(own, 'valhalla.json');
  writeFileSync(file, JSON.stringify(settings));
  const served = await serve({
    command: binary('valhalla', 'valhalla_service'),
    args: [file, '1'],
    probe: `${base}/status`,
  });
  return {
    name: 'valhalla',
    url: ([lat1, lng1], [lat2, lng2]) =>
      `${base}/route?json=${encodeURIComponent(
        JSON.stringify({
          locations: [
            { lat: lat1, lon: lng1 },
            { lat: lat2, lon: lng2 },
          ],
          costing: 'auto',
        }),
      )}`,
    metresOf(text) {
      const { trip } = JSON.parse(text) as { trip?: { summary: { length: number } } };
      return trip === undefined ? null : 1_000 * trip.summary.length;
    },
    cpuSeconds: served.cpuSeconds,
    async close() {
      await served.close();
      rmSync(own, { recursive: true, force: true });
    },
  };
}
