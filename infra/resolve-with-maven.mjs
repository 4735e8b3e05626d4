import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from './lock.mjs';
import { run } from './run.mjs';
import { cacheFolder, here } from './settings.mjs';

/**
 * The folder with what `maven/<name>/pom.xml` names, resolved once. Its name carries a digest of the POM, so
 * a new version or one more jar is a new folder, and it appears whole or not at all. Maven's own store is not
 * made for two writers, so the calls, of other clones too, take turns.
 * @param {'copy-dependencies' | 'unpack'} goal
 */
export async function resolveWithMaven(name, goal, report) {
  const pom = join(here, 'maven', name, 'pom.xml');
  const digest = createHash('sha256').update(readFileSync(pom)).digest('hex').slice(0, 10);
  const folder = join(cacheFolder, `${name}-${digest}`);
  if (existsSync(folder)) return folder;
  return withLock(join(cacheFolder, 'maven.lock'), async () => {
    if (existsSync(folder)) return folder;
    report('resolving jars with Maven');
    const partial = `${folder}.${process.pid}.partial`;
    rmSync(partial, { recursive: true, force: true });
    mkdirSync(partial, { recursive: true });
    // Maven notes there what it once unpacked, and would leave it out of a new folder.
    rmSync(join(here, 'maven', name, 'target'), { recursive: true, force: true });
    try {
      await run('mvn', ['-q', '-B', '-f', pom, `dependency:${goal}`, `-DoutputDirectory=${partial}`], {
        log: `install-${name}`,
        advice:
          'Install Maven 3.8 or newer (Debian: apt-get install maven) and see that it reaches Maven Central.',
      });
      renameSync(partial, folder);
    } finally {
      rmSync(partial, { recursive: true, force: true });
    }
    return folder;
  });
}
