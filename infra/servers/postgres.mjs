import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { authorityFile, certificateFor } from '../certificate.mjs';
import { installWithApt } from '../install-with-apt.mjs';
import { isExecutable, onPath } from '../on-path.mjs';
import { asOrdinaryUser, handOver, makeOwnFolder } from '../ordinary-user.mjs';
import { startTimeOf } from '../pid-file.mjs';
import { run } from '../run.mjs';
import { secret } from '../secret.mjs';
import { dataFolder, host, port } from '../settings.mjs';
import { speak } from '../speak.mjs';

const name = 'postgres';
const sqlPort = port(name, 25432);
const folder = join(dataFolder, name);
const cluster = join(folder, 'cluster');
const owner = 'meridian';

/** @type {import('../servers.mjs').Server} */
export const postgres = {
  name,
  variable: 'SQL',
  ports: [sqlPort],
  stopSignal: 'SIGINT', // The fast shutdown: SIGTERM would wait until the last client leaves.
  address: () => `postgres://${owner}:${secret('postgres-password')}@${host}:${sqlPort}/${owner}`,

  extraLines: () => ({
    POSTGRES_OVER_TLS: `${postgres.address()}?sslmode=verify-full&ca=${authorityFile}`,
  }),

  async install(report) {
    if (programs() === undefined) await installWithApt('postgresql-15', 'SQL', report);
    return { bin: programs() };
  },

  /** The cluster is made beside its place and moved there whole, so a half-made one is never started. */
  async prepare({ bin }) {
    if (existsSync(cluster)) return forgetDeadPostmaster();
    const partial = join(folder, 'partial');
    const passwordFile = join(partial, 'password');
    rmSync(partial, { recursive: true, force: true });
    const advice = `Remove ${folder} if it holds the rest of an earlier try, then start again.`;
    for (const own of [folder, partial]) makeOwnFolder(own);
    writeFileSync(passwordFile, secret('postgres-superuser-password'), { mode: 0o600 });
    handOver(passwordFile);
    const made = join(partial, 'cluster');
    const options = [
      '--username=postgres',
      '--auth=scram-sha-256',
      `--pwfile=${passwordFile}`,
      '--encoding=UTF8',
    ];
    const locale = ['--locale=C.UTF-8', '--no-instructions', '-D', made];
    const initdb = asOrdinaryUser(made, { file: join(bin, 'initdb'), args: [...options, ...locale] });
    await run(initdb.file, initdb.args, { log: 'format-postgres', advice, cwd: '/' });
    const single = asOrdinaryUser(made, {
      file: join(bin, 'postgres'),
      args: ['--single', '-D', made, 'postgres'],
    });
    const input = `CREATE ROLE ${owner} LOGIN CREATEDB PASSWORD '${secret('postgres-password')}';\nCREATE DATABASE ${owner} OWNER ${owner};\n`;
    await run(single.file, single.args, { log: 'create-database', advice, input, cwd: '/' });
    rmSync(passwordFile);
    renameSync(made, cluster);
  },

  command({ bin }) {
    const settings = {
      listen_addresses: host,
      port: sqlPort,
      unix_socket_directories: '', // A socket's path is limited to 107 bytes, a data folder's is not.
    };
    const tls = certificateFor(folder);
    if (tls !== undefined)
      Object.assign(settings, { ssl: 'on', ssl_cert_file: tls.cert, ssl_key_file: tls.key });
    const args = Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
    return {
      ...asOrdinaryUser(cluster, { file: join(bin, 'postgres'), args: ['-D', cluster, ...args] }),
      cwd: '/',
    };
  },

  /**
   * A StartupMessage of protocol 3.0; a server that takes clients asks for the password ('R'), one that
   * starts refuses ('E').
   */
  async check() {
    const body = Buffer.from(`\0\x03\0\0user\0${owner}\0database\0${owner}\0\0`, 'latin1');
    const length = Buffer.alloc(4);
    length.writeInt32BE(body.length + 4);
    const answer = await speak(sqlPort, Buffer.concat([length, body]));
    if (answer[0] !== 'R'.charCodeAt(0)) throw new Error(`PostgreSQL answers ${answer.toString('latin1')}`);
  },
};

/**
 * A killed server stays a zombie until its parent reaps it, and PostgreSQL takes a zombie for a live rival.
 * It never takes its own parent for one, so the dead process id is replaced by ours; the lines after it, by
 * which it finds surviving children of the dead server, stay.
 */
function forgetDeadPostmaster() {
  const file = join(cluster, 'postmaster.pid');
  if (!existsSync(file)) return;
  const [pid, ...rest] = readFileSync(file, 'utf8').split('\n');
  if (startTimeOf(pid) === undefined) writeFileSync(file, [process.pid, ...rest].join('\n'));
}

/** The folder of PostgreSQL's programs: the version of the cluster, else Debian's newest, else the PATH's. */
function programs() {
  const versions = '/usr/lib/postgresql';
  const major = existsSync(cluster) ? readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim() : undefined;
  const newestFirst = existsSync(versions)
    ? readdirSync(versions).toSorted((a, b) => Number(b) - Number(a))
    : [];
  const found = newestFirst.filter((version) => major === undefined || version === major);
  const folders = [
    ...found.map((version) => join(versions, version, 'bin')),
    dirname(onPath('initdb') ?? '/none/'),
  ];
  return folders.find((bin) => ['initdb', 'postgres'].every((program) => isExecutable(join(bin, program))));
}
