import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from './lock.mjs';
import { run } from './run.mjs';
import { cacheFolder } from './settings.mjs';

const policy = '/usr/sbin/policy-rc.d';

/**
 * Installs one Debian package without letting its own service start: a policy that forbids it (exit code 101)
 * stands while apt works, unless the machine has a policy already. Calls take turns, since apt has one lock.
 * @param {string} otherwise the variable that names a server which already runs
 */
export function installWithApt(packageName, otherwise, report) {
  return withLock(join(cacheFolder, 'apt.lock'), async () => {
    report(`installing Debian's ${packageName}`);
    const asRoot = process.getuid() === 0;
    const advice = asRoot
      ? `Install ${packageName} with this system's package manager, ` +
        `or give a server that runs in ${otherwise}.`
      : `Run: sudo apt-get install --no-install-recommends ${packageName}. ` +
        `Or give a server that runs in ${otherwise}.`;
    const aptGet = async (...args) =>
      run('apt-get', ['-q', '-y', ...args], {
        log: `install-${packageName}`,
        advice,
        env: { DEBIAN_FRONTEND: 'noninteractive' },
      });
    const ownPolicy = asRoot && !existsSync(policy);
    if (ownPolicy) writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
    try {
      await aptGet('update');
      await aptGet('install', '--no-install-recommends', packageName);
    } finally {
      if (ownPolicy) rmSync(policy, { force: true });
    }
  });
}
