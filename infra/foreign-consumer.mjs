import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { withLock } from './lock.mjs';
import { run } from './run.mjs';
import { cacheFolder, envFile, here, logFolder } from './settings.mjs';

const folder = join(here, 'kafka-consumer');
const requirements = join(folder, 'requirements.txt');

/** Runs `kafka-consumer/consume.py` on the addresses of the environment, else on those of `infra/up`. */
export async function foreignConsumer(args) {
  const python = await install();
  const addresses = existsSync(envFile) ? parseEnv(readFileSync(envFile, 'utf8')) : {};
  const env = { ...addresses, ...process.env, PYTHONDONTWRITEBYTECODE: '1' };
  const child = spawn(python, [join(folder, 'consume.py'), ...args], { stdio: 'inherit', env });
  process.exitCode = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

/** A virtual environment in the cache, named by a digest of what it holds. */
async function install() {
  const digest = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 10);
  const place = join(cacheFolder, `kafka-consumer-${digest}`);
  const python = join(place, 'bin/python');
  if (existsSync(place)) return python;
  mkdirSync(logFolder, { recursive: true });
  const log = 'install-kafka-consumer';
  const advice =
    'Install Python 3.10 or newer with venv (Debian: apt-get install python3-venv), with access to PyPI.';
  return withLock(join(cacheFolder, 'kafka-consumer.lock'), async () => {
    if (existsSync(place)) return python;
    console.error("installing Confluent's Python client");
    const partial = `${place}.${process.pid}.partial`;
    try {
      await run('python3', ['-m', 'venv', partial], { log, advice });
      await run(join(partial, 'bin/python'), ['-m', 'pip', 'install', '-q', '-r', requirements], {
        log,
        advice,
      });
      renameSync(partial, place);
    } finally {
      rmSync(partial, { recursive: true, force: true });
    }
    return python;
  });
}
