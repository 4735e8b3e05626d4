import { setTimeout as sleep } from 'node:timers/promises';
import { listIncidents } from '#schemas/http/incidents.js';
import { getSimulationTruth } from '#schemas/http/simulation.js';
import { type ClosureScore, ClosureScorer } from '#simulated-city/closure-score.js';
import { CommandFailed, exitCode } from '../exit.js';
import { developmentIssuer } from '../issuer.js';
import { readSettings } from '../read-settings.js';

export interface CityScoreOptions {
  readonly url: string;
  readonly internalUrl: string;
  readonly minutes: number;
  readonly warmUp: number;
  readonly json?: boolean;
}

const everyMs = 5_000;
const looksPerReport = 12;
/** Consecutive failed polls that are allowed: two minutes. */
const failuresMax = 24;
const minuteMs = 60_000;
/** What must hold, or the command ends with exit code 1: no open road is listed, nine in ten are found. */
const foundShareMin = 0.9;
const busyPerMinute = 4;
const foundWithinMs = 5 * minuteMs;

/**
 * Polls a running platform through its public interface and compares its closures with the simulator's truth.
 */
export async function scoreCity(options: CityScoreOptions): Promise<void> {
  const { url, internalUrl, minutes, warmUp, json = false } = options;
  const issuer = await developmentIssuer(readSettings());
  const scorer = new ClosureScorer({ warmUpMs: warmUp * minuteMs, busyPerMinute, foundWithinMs });
  const endMs = Date.now() + minutes * minuteMs;
  const look = async (): Promise<void> => {
    const { incidents } = (await ask(url + listIncidents.path)) as Answers['incidents'];
    const token = await issuer.issueToken({ sub: 'city-score', scopes: ['operator'], ttlS: 60 });
    scorer.look(incidents, (await ask(internalUrl + getSimulationTruth.path, token)) as Answers['truth']);
  };
  let [looks, failures] = [0, 0];
  while (Date.now() < endMs) {
    const began = Date.now();
    try {
      await look();
      failures = 0;
    } catch (error) {
      // A platform that restarts is polled again; one that never answered is not.
      if (looks === 0 || ++failures > failuresMax) throw error;
    }
    if (++looks % looksPerReport === 0)
      console.error(progress(scorer.result, Math.ceil((endMs - Date.now()) / minuteMs)));
    await sleep(Math.max(0, Math.min(everyMs - (Date.now() - began), endMs - Date.now())));
  }
  const score = scorer.result;
  console.log(json ? JSON.stringify(score) : text(score));
  const { closures, inTime } = score.busy;
  if (score.false.length > 0 || inTime < foundShareMin * closures)
    throw new CommandFailed('The platform is out of bounds; see the score.');
}

interface Answers {
  readonly incidents: { readonly incidents: Parameters<ClosureScorer['look']>[0] };
  readonly truth: Parameters<ClosureScorer['look']>[1];
}

async function ask(url: string, token?: string): Promise<unknown> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  let answer: Response;
  try {
    answer = await fetch(url, { headers });
  } catch {
    throw new CommandFailed(`Nothing answers at ${url}. Start the platform, or name it with --url.`);
  }
  if (answer.status === 404)
    throw new CommandFailed(
      `${url} does not exist there: the platform runs without simulated drivers.`,
      exitCode.usage,
    );
  if (!answer.ok) throw new CommandFailed(`${url} answered with ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

const progress = ({ listed, false: wrong, busy }: ClosureScore, minutesLeft: number): string =>
  `${listed} listed, ${wrong.length} false, ${busy.inTime} of ${busy.closures} busy ones in time; ` +
  `${minutesLeft} minutes left`;

function text(score: ClosureScore): string {
  const { busy } = score;
  return [
    `Closures listed ............ ${score.listed}, beside ${score.before} from before`,
    `  true ..................... ${score.true}`,
    `  beside a closed road ..... ${score.beside}`,
    `  false .................... ${score.false.length}`,
    ...score.false.map(
      ({ road, edge, atMs, evidence }) =>
        `    ${new Date(atMs).toISOString()} ${road} (${edge}): ${evidence}`,
    ),
    `Hidden closures ............ ${score.hidden}, ${score.hiddenListed} of them listed`,
    `Busy ones after the warm-up  ${busy.closures}, ${busy.inTime} listed within 5 minutes` +
      (busy.medianDelayS === undefined ? '' : `, median ${busy.medianDelayS} s`),
    ...busy.late.map(
      ({ edge, fromMs, passagesPerMinute, delayS }) =>
        `    ${new Date(fromMs).toISOString()} ${edge}, ${passagesPerMinute.toFixed(1)} a minute: ` +
        (delayS === undefined ? 'not listed' : `after ${delayS} s`),
    ),
  ].join('\n');
}
