import type { AnswerKind, Engine, Round, TripAnswer } from './engine.js';
import type { Pair } from './pairs.js';

export interface Series {
  /** Routes per CPU-second, by round. */
  readonly perCpuSecond: number[];
  readonly tookMs: number[];
  /** By pair, over all rounds. */
  readonly answers: TripAnswer[];
}

/** Every engine warms up until it has worked this long, or has seen each pair twice. */
const WARM_UP_CPU_S = 4;
/** Fast engines answer the pairs of a round several times: the resolution of the clock is then small. */
const ROUND_CPU_S = 0.5;

/**
 * Rounds in which each engine, in turn, answers the same part of the pairs; the order shifts by one each
 * round. A slow minute of the machine affects all engines, so ratios within a round are reliable.
 */
export async function interleaved(
  engines: readonly Engine[],
  pairs: readonly Pair[],
  rounds: number,
  answer: AnswerKind,
  onRound: (done: number, total: number) => void,
): Promise<Map<string, Series>> {
  const perRound = Math.floor(pairs.length / rounds);
  const slice = (round: number): readonly Pair[] => pairs.slice(round * perRound, (round + 1) * perRound);
  const repeats = new Map<string, number>();
  const total = engines.length * (rounds + 1);
  let done = 0;
  for (const engine of engines) {
    let cpuS = 0;
    let last: Round | undefined;
    for (let round = 0; round < 2 * rounds && cpuS < WARM_UP_CPU_S; round++) {
      last = await engine.round(slice(round % rounds), answer, 1);
      cpuS += last.cpuS;
    }
    repeats.set(engine.name, Math.max(1, Math.ceil(ROUND_CPU_S / last!.cpuS)));
    onRound(++done, total);
  }
  const series = new Map(
    engines.map(({ name }): [string, Series] => [name, { perCpuSecond: [], tookMs: [], answers: [] }]),
  );
  for (let round = 0; round < rounds; round++)
    for (let turn = 0; turn < engines.length; turn++) {
      const engine = engines[(turn + round) % engines.length]!;
      const repeat = repeats.get(engine.name)!;
      const { cpuS, answers, tookMs } = await engine.round(slice(round), answer, repeat);
      const own = series.get(engine.name)!;
      own.perCpuSecond.push((perRound * repeat) / cpuS);
      own.tookMs.push(...tookMs);
      own.answers.push(...answers);
      onRound(++done, total);
    }
  return series;
}
