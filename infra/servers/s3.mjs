import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../run.mjs';
import { secret } from '../secret.mjs';
import { cacheFolder, dataFolder, host, port } from '../settings.mjs';
import { signedFetch } from '../signed-fetch.mjs';

const name = 's3';
const version = '1.8.0';
const s3Port = port(name, 29000);
const folder = join(dataFolder, name);
const bucket = 'meridian';
const region = 'us-east-1';
const endpoint = `http://${host}:${s3Port}`;

const keys = () => ({ accessKey: secret('s3-access-key', 10), secretKey: secret('s3-secret-key') });
const request = (method, path) => signedFetch(method, new URL(path, endpoint), { ...keys(), region });

/** @type {import('../servers.mjs').Server} */
export const s3 = {
  name,
  variable: 'OBJECTS',
  ports: [s3Port],
  stopSignal: 'SIGTERM',
  address: () => `s3://${bucket}?endpoint=${endpoint}&region=${region}`,
  extraLines: () => ({ AWS_ACCESS_KEY_ID: keys().accessKey, AWS_SECRET_ACCESS_KEY: keys().secretKey }),

  async install(report) {
    const program = join(cacheFolder, `versitygw-${version}`);
    if (existsSync(program)) return { program };
    report('compiling versitygw with Go');
    const partial = join(cacheFolder, `versitygw.${process.pid}.partial`);
    mkdirSync(partial, { recursive: true });
    try {
      await run('go', ['install', `github.com/versity/versitygw/cmd/versitygw@v${version}`], {
        log: 'install-s3',
        advice:
          'Install Go 1.21 or newer with access to the Go module proxy, ' +
          'or set OBJECTS to a store that runs.',
        env: { GOBIN: partial, CGO_ENABLED: '0' },
      });
      renameSync(join(partial, 'versitygw'), program);
    } finally {
      rmSync(partial, { recursive: true, force: true });
    }
    return { program };
  },

  prepare() {
    mkdirSync(folder, { recursive: true });
  },

  command({ program }) {
    const { accessKey, secretKey } = keys();
    return {
      file: program,
      args: ['--port', `${host}:${s3Port}`, '--region', region, '--quiet', 'posix', folder],
      env: { ROOT_ACCESS_KEY: accessKey, ROOT_SECRET_KEY: secretKey },
      cwd: folder,
    };
  },

  async check() {
    const answer = await request('GET', '/');
    if (!answer.ok) throw new Error(`the object store answers ${answer.status}: ${await answer.text()}`);
  },

  /** The bucket is made by whoever runs the store; 409 says that it is there already. */
  async whenReady() {
    const answer = await request('PUT', `/${bucket}`);
    if (!answer.ok && answer.status !== 409)
      throw new Error(`bucket ${bucket}: ${answer.status} ${await answer.text()}`);
  },
};
