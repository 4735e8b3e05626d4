import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { authorityFile, certificateFor } from '../certificate.mjs';
import { findJava } from '../find-java.mjs';
import { resolveWithMaven } from '../resolve-with-maven.mjs';
import { run } from '../run.mjs';
import { secret } from '../secret.mjs';
import { dataFolder, host, port, ports } from '../settings.mjs';
import { speak } from '../speak.mjs';

const name = 'kafka';
const clientPort = port(name, 29092);
/** Client ports of all nodes of the cluster, in the order of their ids. */
const nodes = ports('KAFKA_NODES', clientPort);
const controllerPort = clientPort + 1;
/** TLS and SASL. */
const securePort = clientPort + 2;
const user = 'meridian';
const folder = join(dataFolder, name);
const propertiesFile = join(folder, 'server.properties');
const logFolder = join(folder, 'log');

/** @type {import('../servers.mjs').Server} */
export const kafka = {
  name,
  variable: 'EVENT_LOG',
  ports: [clientPort, controllerPort, securePort],
  stopSignal: 'SIGTERM',
  address: () => `kafka://${host}:${clientPort}`,
  extraLines: () => ({
    KAFKA_OVER_TLS: `kafka://${user}:${secret('kafka-password')}@${host}:${securePort}?tls=true&ca=${authorityFile}`,
  }),

  async install(report) {
    return {
      java: await findJava(),
      classPath: `${await resolveWithMaven(name, 'copy-dependencies', report)}/*`,
    };
  },

  async prepare({ java, classPath }) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(propertiesFile, properties(certificateFor(folder)), { mode: 0o600 });
    writeFileSync(join(folder, 'log4j2.properties'), logging);
    if (existsSync(join(logFolder, 'meta.properties'))) return;
    // The nodes of a cluster have one id, which none of them gets from another.
    const bytes =
      nodes.length === 1 ? randomBytes(16) : createHash('sha256').update(nodes.join()).digest().subarray(16);
    const clusterId = bytes.toString('base64url').replace(/^-/, 'A'); // A leading minus would read as an option.
    const tool = ['-Xmx128m', '-XX:TieredStopAtLevel=1', '-cp', classPath, 'kafka.tools.StorageTool'];
    const users = ['SCRAM-SHA-256', 'SCRAM-SHA-512'].flatMap((mechanism) => [
      '--add-scram',
      `${mechanism}=[name=${user},password=${secret('kafka-password')}]`,
    ]);
    await run(java, [...tool, 'format', '-t', clusterId, '-c', propertiesFile, ...users], {
      log: 'format-kafka',
      advice: `Remove ${logFolder} if it holds the rest of an earlier try, then start again.`,
    });
  },

  command({ java, classPath }) {
    const options = [
      '-Xms128m',
      '-Xmx256m',
      '-XX:+ExitOnOutOfMemoryError',
      '-XX:+UseG1GC',
      '-XX:MaxGCPauseMillis=20',
      '-Djava.awt.headless=true',
    ];
    const logs = `-Dlog4j2.configurationFile=${join(folder, 'log4j2.properties')}`;
    return {
      file: java,
      args: [...options, logs, '-cp', classPath, 'kafka.Kafka', propertiesFile],
      cwd: folder,
    };
  },

  /** ApiVersions v0: length, API key 18, version 0, correlation id, no client id. Error code 0 is success. */
  async check() {
    const request = Buffer.from([0, 0, 0, 10, 0, 18, 0, 0, 0, 0, 0, 7, 0xff, 0xff]);
    const answer = await speak(clientPort, request, { atLeast: 10 });
    if (answer.readInt32BE(4) !== 7 || answer.readInt16BE(8) !== 0)
      throw new Error('Kafka refuses ApiVersions');
  },
};

function properties(tls) {
  const listeners = [`PLAINTEXT://${host}:${clientPort}`];
  if (tls !== undefined) listeners.push(`SASL_SSL://${host}:${securePort}`);
  const copies = nodes.length;
  const voters = nodes.map((client, at) => `${at + 1}@${host}:${client + 1}`);
  return `# Written by infra/up at each start.
process.roles=broker,controller
node.id=${nodes.indexOf(clientPort) + 1}
controller.quorum.voters=${voters.join(',')}
listeners=${listeners.join(',')},CONTROLLER://${host}:${controllerPort}
advertised.listeners=${listeners.join(',')}
controller.listener.names=CONTROLLER
inter.broker.listener.name=PLAINTEXT
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,SASL_SSL:SASL_SSL
${tls === undefined ? '' : secure(tls)}log.dirs=${logFolder}
auto.create.topics.enable=false
default.replication.factor=${copies}
min.insync.replicas=${Math.floor(copies / 2) + 1}
offsets.topic.replication.factor=${copies}
offsets.topic.num.partitions=4
transaction.state.log.replication.factor=${copies}
transaction.state.log.min.isr=${Math.floor(copies / 2) + 1}
transaction.state.log.num.partitions=4
share.coordinator.state.topic.replication.factor=1
share.coordinator.state.topic.min.isr=1
share.coordinator.state.topic.num.partitions=1
group.initial.rebalance.delay.ms=0
# A killed broker is let in again when its session has ended: 9 s by default.
broker.session.timeout.ms=4000
broker.heartbeat.interval.ms=500
log.retention.check.interval.ms=30000
log.cleaner.dedupe.buffer.size=8388608
num.network.threads=2
num.io.threads=4
`;
}

function secure({ both }) {
  const modules = 'org.apache.kafka.common.security';
  const listener = 'listener.name.sasl_ssl';
  const plain = `${modules}.plain.PlainLoginModule required user_${user}="${secret('kafka-password')}";`;
  const scram = `${modules}.scram.ScramLoginModule required;`;
  return `sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-256,SCRAM-SHA-512
${listener}.plain.sasl.jaas.config=${plain}
${listener}.scram-sha-256.sasl.jaas.config=${scram}
${listener}.scram-sha-512.sasl.jaas.config=${scram}
ssl.keystore.type=PEM
ssl.keystore.location=${both}
ssl.truststore.type=PEM
ssl.truststore.location=${authorityFile}
`;
}

const logging = `status=error
appender.console.type=Console
appender.console.name=console
appender.console.layout.type=PatternLayout
appender.console.layout.pattern=%d{ISO8601} %p %m (%c{1})%n%throwable
rootLogger.level=INFO
rootLogger.appenderRef.console.ref=console
# The full configuration, printed once per component, buries everything else.
logger.config.name=org.apache.kafka.common.config
logger.config.level=WARN
`;
