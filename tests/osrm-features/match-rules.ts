import type { Rule } from './rule.js';
import type { Json } from './served-maps.js';

/** The default error of a point of a trace. */
const deviationM = 5;

/** Letters of the points of a trace that are in a matching. */
const onRoads = (trace: string, { tracepoints }: Json): string =>
  trace
    .split('')
    .filter((_, at) => tracepoints[at] !== null)
    .join('');

/** Whether two lines of pairs are the same, but for repeated pairs and the sixth decimal. */
function isSameLine(got: string, want: string): boolean {
  const pairs = (text: string): string[] => text.match(/[^,]+,[^,]+/g) ?? [];
  const [found, wanted] = [got, want].map((text) =>
    pairs(text)
      .filter((pair, at, all) => pair !== all[at - 1])
      .join()
      .split(',')
      .map(Number),
  ) as [number[], number[]];
  return found.length === wanted.length && found.every((each, at) => Math.abs(each - wanted[at]!) < 1.5e-6);
}

/** Whether all letters of a text are in the other, in their order. */
function isSubsequence(letters: string, text: string): boolean {
  let at = 0;
  for (const letter of text) if (letter === letters[at]) at++;
  return at === letters.length;
}

/** Where the matchings of traces differ. */
export const matchRules: readonly Rule[] = [
  {
    id: 'points beside an outlier',
    kind: 'decision',
    reason: 'A point on a road stays where the one after it is an outlier; OSRM leaves out both.',
    like: [],
    covers: ({ column, want }, { kind, answer, row }) =>
      kind === 'match' &&
      column === 'matchings' &&
      answer?.tracepoints?.includes(null) &&
      isSubsequence(want, onRoads(row['trace']!, answer)),
  },
  {
    id: 'ends near a turn',
    kind: 'decision',
    reason: 'An end of a trace that is within its error of a turn may be at the turn.',
    like: [],
    covers: ({ column }, { kind, answer, cells }) =>
      kind === 'match' &&
      /^(matchings|geometry)$/.test(column) &&
      cells.some((cell) => cell.column === 'matchings' && !cell.isSame) &&
      [answer?.tracepoints?.[0], answer?.tracepoints?.at(-1)].some(
        (end: Json) => end?.distance > 1 && end.distance <= 2 * deviationM + 0.1,
      ),
  },
  {
    id: 'points where legs meet',
    kind: 'decision',
    reason: 'The point of a line where two legs meet is written once; places are a decimetre apart at most.',
    like: [],
    covers: ({ column, want, got }) => column === 'geometry' && got !== '' && isSameLine(got, want),
  },
  {
    id: 'alternatives',
    kind: 'decision',
    reason:
      'Alternatives of a point are the other roads on a likely drive; OSRM counts all that it can reach.',
    like: [],
    covers: ({ column, got }) => column === 'alternatives' && got !== '',
  },
];
