import { securityOf } from '../config/connection-security.js';
import { makeFolder } from '../config/folders.js';
import { WrongSetting } from '../config/wrong-setting.js';
import { lmdbFileState } from '../lmdb/lmdb-file-state.js';
import { type CassandraCluster, CassandraLocationStore } from './cassandra-location-store.js';
import { checkLmdbFile } from './check-lmdb-file.js';
import { interruptedRebuild } from './interrupted-rebuild.js';
import { locationStoreLimits } from './limits.js';
import { LmdbLocationStore } from './lmdb-location-store.js';
import type { LocationStore } from './location-store.js';
import type { Retention } from './retention.js';

export interface LocationStoreDeps {
  /** How long a point is kept after its receipt, milliseconds; 30 days when absent. */
  readonly retentionMs?: number;
  /** Unix milliseconds. */
  readonly now?: () => number;
  /** Copies of each row in a keyspace that Cassandra has to create; 1 when absent. */
  readonly replicationFactor?: number;
}

/**
 * Opens the store that `address` names: `lmdb:./data/locations` or
 * `cassandra://[user:password@]host:port[,host:port]/keyspace?dc=datacenter1`, with
 * `&tls=true` and files named by `ca=`, `cert=`, `key=` and `passwordFile=`. Rejects with a sentence for a
 * malformed address. Call `prepare()` before anything else; Cassandra is not contacted earlier.
 */
export async function openLocationStore(
  address: string,
  deps: LocationStoreDeps = {},
): Promise<LocationStore> {
  const retentionMs = deps.retentionMs ?? locationStoreLimits.retentionMsDefault;
  if (!(retentionMs >= 1_000))
    throw new WrongSetting(`The retention of locations must be a second or more, not ${retentionMs} ms.`);
  const retention = { retentionMs, now: deps.now ?? Date.now };
  const scheme = address.slice(0, address.indexOf(':') + 1);
  switch (scheme) {
    case 'lmdb:': {
      const folder = address.slice(scheme.length);
      if (folder === '')
        throw new WrongSetting(
          'The address of the location store has no folder: write lmdb:./data/locations.',
        );
      makeFolder(folder);
      return openLmdb(folder, retention);
    }
    case 'cassandra:':
      return new CassandraLocationStore(clusterOf(address, deps.replicationFactor ?? 1), retention);
    default:
      throw new WrongSetting(
        `The address of the location store must start with lmdb: or cassandra://, not with '${scheme}'.`,
      );
  }
}

async function openLmdb(folder: string, retention: Retention): Promise<LmdbLocationStore> {
  try {
    await checkLmdbFile(folder);
    const interrupted = interruptedRebuild(folder);
    if (interrupted !== undefined) throw new Error(interrupted);
    const state = lmdbFileState(folder);
    // LMDB would end the process with SIGBUS.
    if (typeof state !== 'string') throw new Error(state.damage);
    return new LmdbLocationStore(folder, retention);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(
      `The location store in ${folder} cannot be opened (${reason}): restore it from a backup, ` +
        'or run meridian doctor --repair.',
      {
        cause,
      },
    );
  }
}

/** The cluster that an address names. Throws a sentence. */
export function clusterOf(address: string, replicationFactor: number): CassandraCluster {
  const fault = (what: string) =>
    new WrongSetting(
      `The address of the location store ${what}: write cassandra://host:9042/meridian?dc=datacenter1.`,
    );
  // Several hosts make no URL, so the hosts are taken out first.
  const parts = /^cassandra:\/\/(?:([^@/]*)@)?([^@/?]+)(\/[^?]*)?(?:\?(.*))?$/.exec(address);
  if (parts === null) throw fault('is malformed');
  const [, login, hosts, path = '', query = ''] = parts;
  const keyspace = path.slice(1);
  if (!/^[a-z][a-z0-9_]{0,47}$/.test(keyspace))
    throw fault('has no keyspace of lower-case letters, digits and _');
  const parameters = new URLSearchParams(query);
  const [username = '', ...rest] = (login ?? '').split(':').map(decodeURIComponent);
  const { tls, password = '' } = securityOf({ parameters, others: ['dc'], password: rest.join(':') }, fault);
  if (username === '' && password !== '') throw fault('has a password and no user');
  const localDataCenter = parameters.get('dc') ?? 'datacenter1';
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(localDataCenter)) throw fault('has a malformed data centre');
  const points = hosts!
    .split(',')
    .map((host) => /^([A-Za-z0-9.-]+|\[[0-9A-Fa-f:]+\])(?::(\d{1,5}))?$/.exec(host));
  if (points.some((point) => point === null)) throw fault('has a malformed host');
  const ports = new Set(points.map((point) => Number(point![2] ?? 9042)));
  if (ports.size !== 1) throw fault('has hosts with different ports, and all nodes of Cassandra share one');
  if (!Number.isInteger(replicationFactor) || replicationFactor < 1)
    throw fault('must have at least one replica');
  return {
    contactPoints: points.map((point) => point![1]!.replace(/^\[|\]$/g, '')),
    port: [...ports][0]!,
    keyspace,
    localDataCenter,
    replicationFactor,
    ...(tls === undefined ? {} : { tls }),
    ...(login === undefined ? {} : { credentials: { username, password } }),
  };
}
