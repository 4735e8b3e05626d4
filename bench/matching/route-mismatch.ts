/** A line, [lng, lat, lng, lat, …] in degrees. */
export type Line = ArrayLike<number>;

export interface Mismatch {
  readonly truthM: number;
  readonly missedM: number;
  readonly addedM: number;
}

const stepM = 2;
/** Lines of one road lie on each other; roads side by side are farther apart than this. */
const sameM = 3;
const cellM = 8;
const metresPerDegree = 111_195;

/**
 * Newson and Krumm's route mismatch: what of the truth the answer lacks, and what it adds to it. Both are
 * walked in steps of 2 m; a step belongs to the other line where that runs within 3 m in the same direction
 * (60°). Neither engine's numbering of roads comes into it.
 */
export function routeMismatch(truth: Line, answer: readonly Line[]): Mismatch {
  const perLng = metresPerDegree * Math.cos((truth[1]! * Math.PI) / 180);
  const truthSteps = stepsOf([truth], perLng);
  const answerSteps = stepsOf(answer, perLng);
  return {
    truthM: stepM * truthSteps.length,
    missedM: stepM * missing(truthSteps, answerSteps),
    addedM: stepM * missing(answerSteps, truthSteps),
  };
}

/** Added and missed length over the truth. */
export function mismatchShare(all: readonly Mismatch[]): number {
  const sum = (pick: (each: Mismatch) => number): number =>
    all.reduce((total, each) => total + pick(each), 0);
  return sum(({ missedM, addedM }) => missedM + addedM) / sum(({ truthM }) => truthM);
}

interface Step {
  readonly x: number;
  readonly y: number;
  /** Direction, of length 1. */
  readonly dx: number;
  readonly dy: number;
}

function stepsOf(lines: readonly Line[], perLng: number): Step[] {
  const steps: Step[] = [];
  for (const line of lines) {
    let ahead = stepM / 2;
    for (let p = 2; p < line.length; p += 2) {
      const [x, y] = [line[p - 2]! * perLng, line[p - 1]! * metresPerDegree];
      const [dx, dy] = [line[p]! * perLng - x, line[p + 1]! * metresPerDegree - y];
      const metres = Math.hypot(dx, dy);
      for (; ahead < metres; ahead += stepM) {
        const share = ahead / metres;
        steps.push({ x: x + share * dx, y: y + share * dy, dx: dx / metres, dy: dy / metres });
      }
      ahead -= metres;
    }
  }
  return steps;
}

const cellOf = (x: number, y: number): string => `${Math.floor(x / cellM)} ${Math.floor(y / cellM)}`;

function missing(steps: readonly Step[], among: readonly Step[]): number {
  const cells = new Map<string, Step[]>();
  for (const step of among) {
    const cell = cellOf(step.x, step.y);
    const there = cells.get(cell);
    if (there === undefined) cells.set(cell, [step]);
    else there.push(step);
  }
  const isThere = ({ x, y, dx, dy }: Step): boolean => {
    for (const east of [-cellM, 0, cellM])
      for (const north of [-cellM, 0, cellM])
        for (const other of cells.get(cellOf(x + east, y + north)) ?? [])
          if (Math.hypot(other.x - x, other.y - y) <= sameM && other.dx * dx + other.dy * dy >= 0.5)
            return true;
    return false;
  };
  return steps.filter((step) => !isThere(step)).length;
}
