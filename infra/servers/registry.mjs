import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '../fault.mjs';
import { findJava } from '../find-java.mjs';
import { resolveWithMaven } from '../resolve-with-maven.mjs';
import { dataFolder, host, port } from '../settings.mjs';

const name = 'registry';
const httpPort = port(name, 28081);
const folder = join(dataFolder, name);
const url = `http://${host}:${httpPort}/apis/ccompat/v7`;

/** @type {import('../servers.mjs').Server} */
export const registry = {
  name,
  variable: 'SCHEMA_REGISTRY_URL',
  ports: [httpPort],
  stopSignal: 'SIGTERM',
  address: () => url,

  async install(report) {
    const program = await resolveWithMaven(name, 'unpack', report);
    const jar = readdirSync(program, { recursive: true }).find((file) => file.endsWith('runner.jar'));
    if (jar === undefined) {
      rmSync(program, { recursive: true, force: true });
      throw new Fault(`${program} held no runner.jar and was removed: start again.`);
    }
    return { java: await findJava(), jar: join(program, jar) };
  },

  prepare() {
    mkdirSync(folder, { recursive: true });
  },

  /**
   * The schemas live in an H2 file: records on disk name schema ids, so the ids must outlive a restart. The
   * level of compatibility is Confluent's default, since Apicurio's own is to check nothing.
   */
  command({ java, jar }) {
    const properties = {
      'quarkus.http.host': host,
      'quarkus.http.port': httpPort,
      'quarkus.http.access-log.enabled': false,
      'apicurio.rules.global.compatibility': 'BACKWARD',
      'apicurio.storage.kind': 'sql',
      'apicurio.storage.sql.kind': 'h2',
      'apicurio.datasource.url': `jdbc:h2:file:${join(folder, 'schemas')};WRITE_DELAY=0`,
    };
    const options = ['-Xmx192m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-Djava.awt.headless=true'];
    const settings = Object.entries(properties).map(([key, value]) => `-D${key}=${value}`);
    return { file: java, args: [...options, ...settings, '-jar', jar], cwd: folder };
  },

  async check() {
    const answer = await fetch(`${url}/subjects`, { signal: AbortSignal.timeout(3000) });
    if (!answer.ok || !Array.isArray(await answer.json()))
      throw new Error(`the registry answers ${answer.status}`);
  },
};
