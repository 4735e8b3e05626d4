import { join } from 'node:path';
import { authorityFile, certificateFor } from '../certificate.mjs';
import { installWithApt } from '../install-with-apt.mjs';
import { onPath } from '../on-path.mjs';
import { asOrdinaryUser, makeOwnFolder } from '../ordinary-user.mjs';
import { dataFolder, host, port } from '../settings.mjs';
import { speak } from '../speak.mjs';

const name = 'redis';
const redisPort = port(name, 26379);
const tlsPort = redisPort + 1;
const folder = join(dataFolder, name);

/** @type {import('../servers.mjs').Server} */
export const redis = {
  name,
  variable: 'CACHE',
  ports: [redisPort, tlsPort],
  stopSignal: 'SIGTERM',
  address: () => `redis://${host}:${redisPort}/0`,
  extraLines: () => ({ REDIS_OVER_TLS: `rediss://${host}:${tlsPort}/0?ca=${authorityFile}` }),

  async install(report) {
    if (onPath('redis-server') === undefined) await installWithApt('redis-server', 'CACHE', report);
    return { program: onPath('redis-server') };
  },

  prepare() {
    makeOwnFolder(folder);
  },

  /** A cache keeps nothing across a restart, and says so when it is full instead of forgetting silently. */
  command({ program }) {
    const settings = {
      bind: host,
      port: redisPort,
      dir: folder,
      save: '',
      appendonly: 'no',
      maxmemory: '512mb',
      'maxmemory-policy': 'noeviction',
    };
    const tls = certificateFor(folder);
    if (tls !== undefined)
      Object.assign(settings, {
        'tls-port': tlsPort,
        'tls-cert-file': tls.cert,
        'tls-key-file': tls.key,
        'tls-auth-clients': 'no',
      });
    const args = Object.entries(settings).flatMap(([key, value]) => [`--${key}`, String(value)]);
    return { ...asOrdinaryUser(folder, { file: program, args }), cwd: '/' };
  },

  async check() {
    const answer = await speak(redisPort, 'PING\r\n');
    if (!answer.toString().startsWith('+PONG')) throw new Error(`Redis answers ${answer.toString().trim()}`);
  },
};
