/** So many turns of the event loop the work has at least, each of which may bring its answer. */
const turns = 20;

/**
 * What `work` brings, or `late()` thrown after `ms` in which this program itself could run. A busy program
 * cannot take an answer, so however long one turn of its event loop lasts, it counts as a twentieth: a
 * program that is busy with a map blames no database for it.
 */
export async function inAwakeTime<Result>(
  ms: number,
  work: Promise<Result>,
  late: () => Error,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    let turn = 0;
    timer = setInterval(() => {
      turn += 1;
      if (turn === turns) reject(late());
    }, ms / turns);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearInterval(timer);
  }
}
