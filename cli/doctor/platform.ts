import type { Config } from '#platform/config/settings.js';
import { type Answer, ok, warning } from './finding.js';

const answerWithinMs = 3_000;

interface Readiness {
  readonly ready?: boolean;
  readonly reasons?: Readonly<Record<string, string>>;
}

/** Whether a program listens at the configured port, and what it lacks. */
export async function checkPlatform({ INTERNAL_HOST: host, INTERNAL_PORT: port }: Config): Promise<Answer> {
  if (port === 0) return ok('INTERNAL_PORT is 0, so a running program cannot be found');
  const shown = host.includes(':') ? `[${host}]` : host;
  const url = `http://${['0.0.0.0', '[::]'].includes(shown) ? 'localhost' : shown}:${port}/readyz`;
  const answer = await fetch(url, { signal: AbortSignal.timeout(answerWithinMs) }).catch(() => undefined);
  if (answer === undefined) return ok(`nothing answers at ${url}; the platform is stopped`);
  if (answer.status === 200) return ok(`${url} says that it is ready`);
  const { reasons = {} } = (await answer.json().catch(() => ({}))) as Readiness;
  const why = Object.entries(reasons).map(([name, reason]) => `${name}: ${reason}`);
  return warning(
    `${url} answers ${answer.status}${why.length === 0 ? '' : `, ${why.join('; ')}`}`,
    'Mend what it names; it becomes ready by itself.',
  );
}
