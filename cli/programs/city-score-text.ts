import type { ArrivalScore } from '#simulated-city/arrival-score.js';
import type { CityScore } from '#simulated-city/city-score.js';
import type { ClosureScore } from '#simulated-city/closure-score.js';
import type { RerouteScore } from '#simulated-city/reroute-score.js';
import type { SpeedScore } from '#simulated-city/speed-score.js';

const percent = (share: number | undefined): string =>
  share === undefined ? '–' : `${Math.round(share * 100)} %`;

/** One line while the score is taken. */
export const progressText = ({ closures, arrivals }: CityScore, minutesLeft: number): string =>
  `${closures.listed} listed, ${closures.false.length} false, ` +
  `${closures.busy.inTime} of ${closures.busy.closures} busy ones in time; ` +
  `${arrivals.trips} trips, error ${percent(arrivals.mape)}; ${minutesLeft} minutes left`;

export const scoreText = ({ scenario, closures, arrivals, speeds, reroutes, broken }: CityScore): string =>
  [
    `Scenario ................... ${scenario}`,
    ...closureLines(closures),
    ...arrivalLines(arrivals),
    speedLine(speeds),
    ...rerouteLines(reroutes),
    ...(broken.length === 0
      ? ['All bounds hold.']
      : ['Out of bounds:', ...broken.map((each) => `  ${each}`)]),
  ].join('\n');

const closureLines = ({ busy, ...score }: ClosureScore): string[] => [
  `Closures listed ............ ${score.listed}, beside ${score.before} from before`,
  `  true ..................... ${score.true}`,
  `  beside a closed road ..... ${score.beside}`,
  `  false .................... ${score.false.length}`,
  ...score.false.map(
    ({ road, edge, atMs, evidence }) => `    ${new Date(atMs).toISOString()} ${road} (${edge}): ${evidence}`,
  ),
  `Hidden closures ............ ${score.hidden}, ${score.hiddenListed} of them listed`,
  `Busy ones after the warm-up  ${busy.closures}, ${busy.inTime} listed within 5 minutes` +
    (busy.medianDelayS === undefined ? '' : `, median ${busy.medianDelayS} s`),
  ...busy.late.map(
    ({ edge, fromMs, passagesPerMinute, turnedBack, delayS }) =>
      `    ${new Date(fromMs).toISOString()} ${edge}, ${passagesPerMinute.toFixed(1)} a minute, ` +
      `${turnedBack} turned back: ` +
      (delayS === undefined ? 'not listed' : `after ${delayS} s`),
  ),
];

const arrivalLines = (score: ArrivalScore): string[] => [
  `Guided trips predicted ..... ${score.trips}, ${score.fallbacks} of them without learned trips`,
  `  mean error ............... ${percent(score.mape)}, of free flow ${percent(score.freeFlowMape)}`,
  `  within the interval ...... ${percent(score.covered)} of ${score.intervals}`,
];

const speedLine = ({ speeds, medianError, meanError }: SpeedScore): string =>
  `Live speeds ................ ${speeds}, error ${percent(medianError)} in the median, ` +
  `${percent(meanError)} on average`;

const rerouteLines = (score: RerouteScore): string[] => [
  `Reroutes at drivers ........ ${score.frames}`,
  `  to a quicker route ....... ${score.right}`,
  `  to a slower one .......... ${score.useless}`,
  `  to a closed road ......... ${score.blocked}`,
  `  10 s after the listing ... ${score.late}`,
  `  over a listed closure .... ${score.overListed.length}`,
  ...score.overListed.map(
    ({ driver, edge, listedForS }) => `    ${driver}: ${edge}, listed for ${listedForS} s`,
  ),
  `Guided drivers at a barrier  ${score.barriers}, ` +
    `${score.missing.length} of them at one listed for 10 s or more`,
];
