import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { authorityFile, certificateFor } from '../certificate.mjs';
import { findJava } from '../find-java.mjs';
import { resolveWithMaven } from '../resolve-with-maven.mjs';
import { dataFolder, host, port } from '../settings.mjs';
import { speak } from '../speak.mjs';
import { addExports, addOpens } from './cassandra-modules.mjs';

const name = 'cassandra';
const clientPort = port(name, 29042);
const storagePort = clientPort + 1;
const folder = join(dataFolder, name);
const yamlFile = join(folder, 'cassandra.yaml');

/** @type {import('../servers.mjs').Server} */
export const cassandra = {
  name,
  variable: 'LOCATIONS',
  ports: [clientPort, storagePort],
  stopSignal: 'SIGTERM',
  address: () => `cassandra://${host}:${clientPort}/meridian?dc=datacenter1`,
  extraLines: () => ({
    CASSANDRA_OVER_TLS: `cassandra://${host}:${clientPort}/meridian_tls?dc=datacenter1&tls=true&ca=${authorityFile}`,
  }),

  async install(report) {
    return { java: await findJava(), jars: await resolveWithMaven(name, 'copy-dependencies', report) };
  },

  prepare() {
    mkdirSync(join(folder, 'triggers'), { recursive: true });
    writeFileSync(yamlFile, configuration(certificateFor(folder)));
    writeFileSync(join(folder, 'logback.xml'), logging);
  },

  command({ java, jars }) {
    const jamm = readdirSync(jars).find((jar) => /^jamm-[\d.]+\.jar$/.test(jar));
    const properties = {
      'jdk.attach.allowAttachSelf': true,
      'cassandra-foreground': 'yes',
      'cassandra.config': pathToFileURL(yamlFile),
      'cassandra.storagedir': folder,
      'cassandra.triggers_dir': join(folder, 'triggers'),
      'logback.configurationFile': join(folder, 'logback.xml'),
      'cassandra.ring_delay_ms': 1,
      'cassandra.skip_wait_for_gossip_to_settle': 0,
      'java.awt.headless': true,
    };
    const options = [
      '-Xms256m',
      '-Xmx384m',
      '-XX:+ExitOnOutOfMemoryError',
      '-XX:+UseG1GC',
      '-XX:MaxDirectMemorySize=192m',
      '-Xss256k',
    ];
    const agent = `-javaagent:${join(jars, jamm ?? 'jamm.jar')}`;
    const settings = Object.entries(properties).map(([key, value]) => `-D${key}=${value}`);
    const classPath = [folder, `${jars}/*`].join(':');
    const main = ['-cp', classPath, 'org.apache.cassandra.service.CassandraDaemon'];
    return {
      file: java,
      args: [...options, agent, ...addExports, ...addOpens, ...settings, ...main],
      cwd: folder,
    };
  },

  /** Native protocol 4: an OPTIONS frame (opcode 5, empty body) is answered by SUPPORTED (opcode 6). */
  async check() {
    const answer = await speak(clientPort, Buffer.from([4, 0, 0, 0, 5, 0, 0, 0, 0]), { atLeast: 9 });
    if (answer[4] !== 6) throw new Error(`Cassandra answers OPTIONS with opcode ${answer[4]}`);
  },
};

const at = (sub) => JSON.stringify(join(folder, sub));

/**
 * An acknowledged write is on disk: `batch` answers after the commit log's fsync, which concurrent writes
 * share. Caches and memtables are small because the whole machine may have two cores and a few gigabytes.
 */
function configuration(tls) {
  return `# Written by infra/up at each start.
cluster_name: meridian
num_tokens: 4
partitioner: org.apache.cassandra.dht.Murmur3Partitioner
endpoint_snitch: SimpleSnitch
seed_provider:
  - class_name: org.apache.cassandra.locator.SimpleSeedProvider
    parameters:
      - seeds: "${host}:${storagePort}"
listen_address: ${host}
rpc_address: ${host}
storage_port: ${storagePort}
native_transport_port: ${clientPort}
data_file_directories:
  - ${at('data')}
commitlog_directory: ${at('commitlog')}
saved_caches_directory: ${at('saved_caches')}
hints_directory: ${at('hints')}
cdc_raw_directory: ${at('cdc_raw')}
commitlog_sync: batch
commitlog_segment_size: 8MiB
commitlog_total_space: 256MiB
commitlog_disk_access_mode: legacy
storage_compatibility_mode: NONE
memtable:
  configurations:
    trie:
      class_name: TrieMemtable
    default:
      inherits: trie
memtable_heap_space: 64MiB
memtable_offheap_space: 64MiB
sstable:
  selected_format: bti
file_cache_size: 32MiB
networking_cache_size: 16MiB
key_cache_size: 8MiB
counter_cache_size: 0MiB
row_cache_size: 0MiB
concurrent_reads: 16
concurrent_writes: 16
concurrent_counter_writes: 4
concurrent_compactors: 1
native_transport_max_threads: 32
auto_snapshot: false
${tls === undefined ? '' : encrypted(tls)}`;
}

/** On the same port, for clients that ask for it. */
const encrypted = ({ both }) => `client_encryption_options:
  enabled: true
  optional: true
  require_client_auth: false
  keystore: ${JSON.stringify(both)}
  ssl_context_factory:
    class_name: org.apache.cassandra.security.PEMBasedSslContextFactory
`;

const logging = `<configuration>
  <appender name="STDOUT" class="ch.qos.logback.core.ConsoleAppender">
    <encoder><pattern>%date{ISO8601} %-5level %msg \\(%logger{0}\\)%n</pattern></encoder>
  </appender>
  <root level="INFO"><appender-ref ref="STDOUT"/></root>
</configuration>
`;
