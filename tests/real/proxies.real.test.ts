import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { Agent, request } from 'node:https';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { navStreamPath, navStreamSubprotocol } from '#schemas/nav-stream.js';
import { eventually } from '../eventually.js';
import { freePort, type RunningProgram, startProgram } from '../main-job/running-platform.js';
import {
  areProxiesHere,
  type Certificate,
  makeCertificate,
  type RunningProxy,
  startProxy,
} from './proxy-servers.js';

const perAddress = 20;
/** Everything is embedded here, whatever servers the run has. */
const embedded = Object.fromEntries(
  ['EVENT_LOG', 'LOCATIONS', 'CACHE', 'SQL', 'OBJECTS', 'SCHEMA_REGISTRY_URL'].map((name) => [name, '']),
);

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly clientPort: number | undefined;
}

interface Asking {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Address of the client; on Linux all of 127.0.0.0/8 are this machine. */
  readonly from?: string;
  readonly agent?: Agent;
}

/** One platform with nginx and HAProxy in front, with the configurations of `deploy/proxies`. */
const platforms = [
  { title: 'node:http, because TRUSTED_PROXIES is set', server: 'auto', hasPublicUrl: false },
  { title: 'uWebSockets.js under PUBLIC_URL', server: 'uws', hasPublicUrl: true },
] as const;

describe.runIf(areProxiesHere() && process.platform === 'linux').each(platforms)(
  'behind a proxy with TLS: $title',
  ({ server, hasPublicUrl }) => {
    let folder: string;
    let certificate: Certificate;
    let authority: Buffer;
    let platform: RunningProgram;
    let driver: string;
    const ports = { nginx: 0, haproxy: 0, old: 0 };
    const running: RunningProxy[] = [];

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'meridian-proxies-'));
      certificate = makeCertificate(folder);
      authority = await readFile(certificate.certificate);
      for (const name of ['nginx', 'haproxy', 'old'] as const) ports[name] = await freePort();
      platform = await startProgram('up', {
        data: join(folder, 'data'),
        args: ['--drivers', '0'],
        env: {
          ...embedded,
          HTTP_SERVER: server,
          TRUSTED_PROXIES: '127.0.0.1',
          PUBLIC_URL: hasPublicUrl ? `https://localhost:${ports.nginx}/` : '',
          RATE_PER_ADDRESS: String(perAddress),
          LOG_LEVEL: 'debug',
        },
      });
      driver = await platform.token('ann', 'driver');
      const upstreamPort = Number(new URL(platform.url).port);
      const start = async (name: 'nginx' | 'haproxy', port: number, isOld = false) => {
        const own = join(folder, `${name}-${port}`);
        await mkdir(own);
        running.push(await startProxy(name, { folder: own, port, upstreamPort, certificate, isOld }));
      };
      await start('nginx', ports.nginx);
      await start('haproxy', ports.haproxy);
      await start('nginx', ports.old, true);
    });
    afterAll(async () => {
      for (const proxy of running) await proxy.stop();
      await platform?.stop();
      await rm(folder, { recursive: true, force: true });
    });

    const ask = (port: number, path: string, asking: Asking = {}): Promise<Answer> =>
      new Promise((resolve, reject) => {
        const { method = 'GET', headers = {}, body, from = '127.0.0.1', agent } = asking;
        const options = { host: 'localhost', port, path, method, headers, ca: authority, localAddress: from };
        const asked = request({ ...options, family: 4, agent: agent ?? false }, (answer) => {
          const clientPort = (answer.socket as Socket).localPort;
          const pieces: Buffer[] = [];
          answer.on('data', (piece: Buffer) => pieces.push(piece));
          answer.on('end', () =>
            resolve({ status: answer.statusCode!, body: Buffer.concat(pieces).toString(), clientPort }),
          );
        });
        asked.on('error', reject);
        asked.end(body);
      });

    describe.each(['nginx', 'haproxy'] as const)('%s', (name) => {
      const nth = name === 'nginx' ? 1 : 2;

      it('documents name https, so that browsers load the tiles', async () => {
        const base = `https://localhost:${hasPublicUrl ? ports.nginx : ports[name]}`;
        const evil = {
          'x-forwarded-host': 'evil.example',
          'x-forwarded-prefix': '/evil',
          'x-forwarded-proto': 'http',
        };
        const tiles = JSON.parse((await ask(ports[name], '/v1/tiles.json', { headers: evil })).body) as {
          readonly tiles: readonly string[];
        };
        expect(tiles.tiles.map((url) => new URL(url).origin)).toEqual(tiles.tiles.map(() => base));
        const events = JSON.parse((await ask(ports[name], '/v1/asyncapi.json')).body) as {
          readonly servers: Readonly<Record<string, object>>;
        };
        expect(events.servers['socket']).toMatchObject({ protocol: 'wss', host: new URL(base).host });
      });

      it('a WebSocket of a page of this origin opens, one of another does not', async () => {
        const open = (origin: string): Promise<string> =>
          new Promise((resolve, reject) => {
            const url = `wss://localhost:${ports[name]}${navStreamPath}`;
            const socket = new WebSocket(url, [navStreamSubprotocol], { ca: authority, origin });
            socket.once('open', () => socket.send(JSON.stringify({ type: 'hello', token: driver })));
            socket.once('message', (frame) => {
              socket.close();
              resolve((JSON.parse(String(frame)) as { readonly type: string }).type);
            });
            socket.once('unexpected-response', (_, { statusCode }) => resolve(String(statusCode)));
            socket.once('error', reject);
          });
        expect(await open(`https://localhost:${ports[name]}`)).toBe('ready');
        expect(await open('https://evil.example')).toBe('403');
      });

      it('a batch of 250 kB is accepted, a larger one is 413, an answer of 1 MB arrives whole', async () => {
        const headers = { authorization: `Bearer ${driver}`, 'content-type': 'application/json' };
        const point = { lat: 57.7, lng: 11.96, timestamp: Date.now() };
        const batch = (bytes: number) =>
          JSON.stringify({ locs: [point] }).replace('}', `${' '.repeat(bytes - 100)}}`);
        const post = (bytes: number) =>
          ask(ports[name], '/v1/locations', { method: 'POST', headers, body: batch(bytes) });
        expect((await post(250_000)).status).toBe(202);
        expect((await post(2_000_000)).status).toBe(413);
        const { status, body } = await ask(ports[name], '/docs/assets/swagger-ui-bundle.js');
        expect([status, body.length > 1_000_000]).toEqual([200, true]);
      });

      it('keep-alive: one connection of the client, and few to the platform', async () => {
        const agent = new Agent({ keepAlive: true, maxSockets: 1 });
        const closedBefore = await closedTo(platform.url);
        const answers: Answer[] = [];
        for (let count = 0; count < 50; count += 1)
          answers.push(await ask(ports[name], '/healthz', { agent }));
        agent.destroy();
        expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
        expect(new Set(answers.map(({ clientPort }) => clientPort)).size).toBe(1);
        // HAProxy's checks of the platform end theirs: one a second.
        expect((await closedTo(platform.url)) - closedBefore).toBeLessThan(10);
      });

      it('limits count the address of the client, not of the proxy, and not what it writes', async () => {
        const spoofed = { 'x-forwarded-for': `203.0.113.${nth}` };
        const statusFrom = async (from: string) =>
          (await ask(ports[name], '/v1/status', { from, headers: spoofed })).status;
        const statuses: number[] = [];
        for (let count = 0; count <= perAddress; count += 1)
          statuses.push(await statusFrom(`127.0.1.${nth}`));
        expect(statuses).toEqual([...Array.from({ length: perAddress }, () => 200), 429]);
        expect(await statusFrom(`127.0.2.${nth}`)).toBe(200);
        await eventually(() => {
          const lines = platform.output().split('\n');
          expect(lines.filter((line) => line.includes(`127.0.2.${nth}`)).join()).toContain('request');
        });
        expect(platform.output()).not.toContain('203.0.113.');
      });

      it('the development issuer gives no token, and /metrics and staff stay inside', async () => {
        const session = { method: 'POST', body: '{"sub":"eve","scope":"operator"}' } as const;
        const headers = { 'content-type': 'application/json', host: 'localhost:8080' };
        const { status, body } = await ask(ports[name], '/v1/development/session', { ...session, headers });
        expect([status, body.includes('meridian token')]).toEqual([403, true]);
        // A proxy that adds no field looks like this.
        const direct = {
          method: 'POST',
          body: session.body,
          headers: { 'content-type': 'application/json' },
        };
        expect((await fetch(`${platform.url}/v1/development/session`, direct)).status).toBe(403);
        expect((await ask(ports[name], '/metrics')).status).toBe(404);
        expect((await ask(ports[name], '/v1/staff/hotels')).status).toBe(404);
      });
    });

    it(`HTTP/1.0 of an nginx without proxy_http_version: ${server === 'uws' ? '505' : '200'}`, async () => {
      expect((await ask(ports.old, '/v1/tiles.json')).status).toBe(server === 'uws' ? 505 : 200);
      if (server === 'auto')
        expect((await ask(ports.old, '/docs/assets/swagger-ui-bundle.js')).status).toBe(200);
    });
  },
);

/** Connections to this address that were closed in the last minute. */
async function closedTo(url: string): Promise<number> {
  const port = Number(new URL(url).port).toString(16).toUpperCase().padStart(4, '0');
  const timeWait = '06';
  const lines = (await readFile('/proc/net/tcp', 'utf8')).split('\n').map((line) => line.trim().split(/\s+/));
  return lines.filter(
    ([, local = '', remote = '', state]) =>
      state === timeWait && [local, remote].some((end) => end.endsWith(`:${port}`)),
  ).length;
}
