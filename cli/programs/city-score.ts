import { setTimeout as sleep } from 'node:timers/promises';
import { type Incident, listIncidents } from '#schemas/http/incidents.js';
import { getTraffic, type TrafficAnswer } from '#schemas/http/map.js';
import { getNav, type NavAnswer } from '#schemas/http/nav.js';
import { getSimulationTruth, type SimulationTruth } from '#schemas/http/simulation.js';
import type { PredictedTrip } from '#simulated-city/arrival-score.js';
import { CityScorer } from '#simulated-city/city-score.js';
import { CommandFailed, exitCode, nothingAnswers } from '../exit.js';
import { developmentIssuer } from '../issuer.js';
import { addressBySettings } from '../own-address.js';
import { readSettings } from '../read-settings.js';
import { progressText, scoreText } from './city-score-text.js';

export interface CityScoreOptions {
  /** Default: by the settings. */
  readonly url?: string;
  readonly internalUrl?: string;
  readonly minutes: number;
  readonly warmUp: number;
  readonly json?: boolean;
}

const everyMs = 5_000;
const looksPerReport = 12;
/** Consecutive failed polls that are allowed: two minutes. */
const failuresMax = 24;
const minuteMs = 60_000;

/** It may answer later. */
class Busy extends CommandFailed {}

/** Polls a running platform through its public interface and compares its answers with the truth. */
export async function scoreCity(options: CityScoreOptions): Promise<void> {
  const { minutes, warmUp, json = false } = options;
  const config = readSettings();
  const url = options.url ?? addressBySettings(config, 'public');
  const internalUrl = options.internalUrl ?? addressBySettings(config, 'internal');
  const issuer = await developmentIssuer(config);
  const scorer = new CityScorer({ warmUpMs: warmUp * minuteMs });
  const endMs = Date.now() + minutes * minuteMs;
  const look = async (): Promise<void> => {
    const traffic = (await ask(url + getTraffic.path)) as TrafficAnswer;
    const { incidents } = (await ask(url + listIncidents.path)) as {
      readonly incidents: readonly Incident[];
    };
    const token = await issuer.issueToken({ sub: 'city-score', scopes: ['operator'], ttlS: 60 });
    // The truth comes last, so that no closure is younger than its listing.
    const truth = (await ask(internalUrl + getSimulationTruth.path, token)) as SimulationTruth;
    scorer.scenario = truth.scenario;
    scorer.closures.look(incidents, truth);
    scorer.speeds.look(traffic, truth);
    scorer.reroutes.look(incidents, truth);
    for (const trip of scorer.arrivals.look(truth)) {
      const predicted = await predict(url, trip);
      if (predicted !== undefined) scorer.arrivals.predicted(trip.id, predicted);
    }
  };
  let [looks, failures, hasAnswered] = [0, 0, false];
  while (Date.now() < endMs) {
    const began = Date.now();
    try {
      await look();
      failures = 0;
      hasAnswered = true;
    } catch (error) {
      // A platform that is busy or restarts is polled again; one that never answered is not.
      if (!(hasAnswered || error instanceof Busy) || ++failures > failuresMax) throw error;
      if (!hasAnswered) console.error(`${(error as Busy).message} Asking again.`);
    }
    if (++looks % looksPerReport === 0 && hasAnswered)
      console.error(progressText(scorer.result, Math.ceil((endMs - Date.now()) / minuteMs)));
    await sleep(Math.max(0, Math.min(everyMs - (Date.now() - began), endMs - Date.now())));
  }
  if (!hasAnswered) throw new CommandFailed(`${url} was busy all the time: nothing was compared.`);
  const score = scorer.result;
  console.log(json ? JSON.stringify(score) : scoreText(score));
  if (score.broken.length > 0) throw new CommandFailed('The platform is out of bounds; see the score.');
}

/** Asks for the duration of a trip as its driver would; undefined where there is no route. */
async function predict(
  url: string,
  { from, to }: SimulationTruth['trips'][number],
): Promise<PredictedTrip | undefined> {
  const query = new URLSearchParams({
    origin: `${from.lat},${from.lng}`,
    destination: `${to.lat},${to.lng}`,
    departure_time: 'now',
  });
  const { status, routes } = (await ask(`${url}${getNav.path}?${query}`)) as NavAnswer;
  const leg = routes[0]?.legs[0];
  if (status !== 'OK' || leg === undefined) return undefined;
  const { duration, duration_in_traffic, duration_free_flow, duration_interval } = leg;
  return {
    durationS: duration_in_traffic.value,
    freeFlowS: (duration_free_flow ?? duration).value,
    interval: duration_interval && {
      lowS: duration_interval.low.value,
      highS: duration_interval.high.value,
    },
    isFallback: leg.duration_fallback !== undefined,
  };
}

async function ask(url: string, token?: string): Promise<unknown> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  let answer: Response;
  try {
    answer = await fetch(url, { headers });
  } catch (error) {
    throw nothingAnswers(url, error);
  }
  if (answer.status === 404)
    throw new CommandFailed(
      `${url} does not exist there: the platform runs without simulated drivers.`,
      exitCode.usage,
    );
  if (answer.status === 503) throw new Busy(`${url} is busy or not ready (503).`);
  if (!answer.ok) throw new CommandFailed(`${url} answered with ${answer.status}: ${await answer.text()}`);
  return answer.json();
}
