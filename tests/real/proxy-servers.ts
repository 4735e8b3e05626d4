import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '../eventually.js';

export type ProxyName = 'nginx' | 'haproxy';

const places = ['/usr/sbin', '/usr/bin', '/usr/local/sbin', '/usr/local/bin', '/opt/homebrew/bin'];
const programOf = (name: ProxyName) =>
  places.map((place) => join(place, name)).find((file) => existsSync(file));

/** CI installs both, so they are never missing there. */
export const areProxiesHere = (): boolean =>
  process.env['CI'] !== undefined || (programOf('nginx') !== undefined && programOf('haproxy') !== undefined);

export interface Certificate {
  /** PEM files, the last one with both. */
  readonly certificate: string;
  readonly key: string;
  readonly both: string;
}

/** For `localhost`, signed by itself. */
export function makeCertificate(folder: string): Certificate {
  const [certificate, key, both] = ['c.pem', 'k.pem', 'both.pem'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const request = [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-days',
    '2',
  ];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  execFileSync('openssl', [...request, ...subject, '-keyout', key, '-out', certificate], { stdio: 'ignore' });
  writeFileSync(both, readFileSync(certificate, 'utf8') + readFileSync(key, 'utf8'), { mode: 0o600 });
  return { certificate, key, both };
}

export interface RunningProxy {
  stop(): Promise<void>;
}

/** A configuration of `deploy/proxies` with the addresses of a test in place of those of a product. */
function configuration(file: string, edits: Readonly<Record<string, string>>): string {
  let text = readFileSync(fileURLToPath(new URL(`../../deploy/proxies/${file}`, import.meta.url)), 'utf8');
  for (const [from, to] of Object.entries(edits)) {
    if (!text.includes(from)) throw new Error(`deploy/proxies/${file} has no "${from}"`);
    text = text.replaceAll(from, to);
  }
  return text;
}

export interface ProxyOptions {
  readonly folder: string;
  readonly port: number;
  readonly upstreamPort: number;
  readonly certificate: Certificate;
  /** nginx only: no `proxy_http_version` and its fields, so that it sends HTTP/1.0. */
  readonly isOld?: boolean;
}

export async function startProxy(name: ProxyName, options: ProxyOptions): Promise<RunningProxy> {
  const { folder, port, upstreamPort, certificate } = options;
  const upstream = { '127.0.0.1:8080': `127.0.0.1:${upstreamPort}` };
  const program = programOf(name);
  if (program === undefined) throw new Error(`${name} is not installed: apt-get install ${name}`);
  let args: readonly string[];
  if (name === 'nginx') {
    mkdirSync(join(folder, 'temp'), { recursive: true });
    const temp = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((kind) => `${kind}_temp_path ${folder}/temp/${kind};`)
      .join(' ');
    const text = configuration('nginx.conf', {
      ...upstream,
      'listen 443 ssl;': `listen 127.0.0.1:${port} ssl;`,
      '/etc/ssl/maps.example.pem': certificate.certificate,
      '/etc/ssl/maps.example.key': certificate.key,
      'http {': `error_log ${folder}/error.log; http { access_log off; ${temp}`,
      ...(options.isOld === true
        ? {
            'proxy_http_version 1.1;': '',
            'proxy_set_header Connection $connection_upgrade;': '',
            'proxy_set_header Upgrade $http_upgrade;': '',
          }
        : {}),
    });
    writeFileSync(join(folder, 'nginx.conf'), text);
    const asRoot = process.getuid?.() === 0 ? ' user root;' : '';
    const directives = `daemon off; pid ${folder}/nginx.pid;${asRoot}`;
    args = [
      '-p',
      folder,
      '-e',
      join(folder, 'error.log'),
      '-c',
      join(folder, 'nginx.conf'),
      '-g',
      directives,
    ];
  } else {
    const text = configuration('haproxy.cfg', {
      ...upstream,
      'bind :443': `bind 127.0.0.1:${port}`,
      '/etc/ssl/maps.example.both.pem': certificate.both,
      'maxconn 20000': 'maxconn 500',
    });
    writeFileSync(join(folder, 'haproxy.cfg'), text);
    args = ['-db', '-f', join(folder, 'haproxy.cfg')];
  }
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}: ${said}`);
    await accepts(port);
  });
  return { stop: () => stop(child) };
}

async function accepts(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
  } finally {
    socket.destroy();
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'close');
  child.kill('SIGTERM');
  await ended;
}
