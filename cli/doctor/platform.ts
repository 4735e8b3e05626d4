import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Config } from '#platform/config/settings.js';
import { addressBySettings } from '../own-address.js';
import { runningPrograms } from '../running-programs.js';
import { type Answer, ok, warning } from './finding.js';
import { type ReadinessAnswer, readiness } from './readiness.js';

interface NotReady {
  readonly errors?: readonly { readonly pointer?: string; readonly message?: string }[];
}

/**
 * Whether a program listens at the configured port, or one of this data folder at another, and what it lacks.
 */
export async function checkPlatform(config: Config): Promise<Answer> {
  const { INTERNAL_PORT: port, MERIDIAN_DATA: data } = config;
  const told = addressBySettings(config, 'internal');
  const answer = port === 0 ? undefined : await readiness(told);
  if (answer !== undefined) return judged(told, answer, config);
  const running = await runningPrograms(data);
  const [first] = running;
  if (first === undefined)
    return port === 0
      ? ok('INTERNAL_PORT is 0, and no program runs on this data folder')
      : ok(`nothing answers at ${told}/readyz, and no program runs on this data folder`);
  const elsewhere = await readiness(first.internalUrl);
  const state =
    elsewhere === undefined
      ? 'it does not answer'
      : (await judged(first.internalUrl, elsewhere, config)).detail;
  const names = running.map(
    ({ program, pid, internalUrl }) => `${program} (process ${pid}) at ${internalUrl}`,
  );
  return warning(
    `nothing answers at ${told}, but this data folder is used by ${names.join(' and ')}; ${state}`,
    `Set INTERNAL_PORT=${new URL(first.internalUrl).port} for this command.`,
  );
}

function reasonsOf({ body }: ReadinessAnswer): readonly string[] {
  const { errors = [] } = (body ?? {}) as NotReady;
  return errors.map(({ pointer = '', message = '' }) => `${pointer.slice(1)}: ${message}`);
}

async function judged(url: string, answer: ReadinessAnswer, config: Config): Promise<Answer> {
  const { TLS_CERTIFICATE_FILE: file } = config;
  if (file !== undefined && answer.certificate !== undefined) {
    const { raw } = new X509Certificate(await readFile(file));
    if (!raw.equals(answer.certificate))
      return warning(
        `${url} shows another certificate than ${file} has`,
        'Restart it: it reads it at start.',
      );
  }
  if (answer.status === 200) return ok(`${url}/readyz says that it is ready`);
  const why = reasonsOf(answer);
  return warning(
    `${url}/readyz answers ${answer.status}${why.length === 0 ? '' : `, ${why.join('; ')}`}`,
    'Mend what it names; it becomes ready by itself.',
  );
}
