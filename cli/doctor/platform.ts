import type { Config } from '#platform/config/settings.js';
import { runningPrograms } from '../running-programs.js';
import { type Answer, ok, warning } from './finding.js';

const answerWithinMs = 3_000;

interface NotReady {
  readonly errors?: readonly { readonly pointer?: string; readonly message?: string }[];
}

/**
 * Whether a program listens at the configured port, or one of this data folder at another, and what it lacks.
 */
export async function checkPlatform(config: Config): Promise<Answer> {
  const { INTERNAL_HOST: host, INTERNAL_PORT: port, MERIDIAN_DATA: data } = config;
  const shown = host.includes(':') ? `[${host}]` : host;
  const told = `http://${['0.0.0.0', '[::]'].includes(shown) ? 'localhost' : shown}:${port}`;
  const answer = port === 0 ? undefined : await readiness(told);
  if (answer !== undefined) return judged(told, answer);
  const running = await runningPrograms(data);
  const [first] = running;
  if (first === undefined)
    return port === 0
      ? ok('INTERNAL_PORT is 0, and no program runs on this data folder')
      : ok(`nothing answers at ${told}/readyz, and no program runs on this data folder`);
  const elsewhere = await readiness(first.internalUrl);
  const state =
    elsewhere === undefined ? 'it does not answer' : (await judged(first.internalUrl, elsewhere)).detail;
  const names = running.map(
    ({ program, pid, internalUrl }) => `${program} (process ${pid}) at ${internalUrl}`,
  );
  return warning(
    `nothing answers at ${told}, but this data folder is used by ${names.join(' and ')}; ${state}`,
    `Set INTERNAL_PORT=${new URL(first.internalUrl).port} for this command.`,
  );
}

const readiness = (url: string): Promise<Response | undefined> =>
  fetch(`${url}/readyz`, { signal: AbortSignal.timeout(answerWithinMs) }).catch(() => undefined);

async function reasonsOf(answer: Response): Promise<readonly string[]> {
  const { errors = [] } = (await answer.json().catch(() => ({}))) as NotReady;
  return errors.map(({ pointer = '', message = '' }) => `${pointer.slice(1)}: ${message}`);
}

async function judged(url: string, answer: Response): Promise<Answer> {
  if (answer.status === 200) return ok(`${url}/readyz says that it is ready`);
  const why = await reasonsOf(answer);
  return warning(
    `${url}/readyz answers ${answer.status}${why.length === 0 ? '' : `, ${why.join('; ')}`}`,
    'Mend what it names; it becomes ready by itself.',
  );
}
