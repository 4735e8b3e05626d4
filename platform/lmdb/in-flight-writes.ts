/**
 * A thread of LMDB stops in the middle of a write until this thread has run the transaction's callback. An
 * exit of the process waits for that thread, or closes the file that it writes to. So all writes must end
 * before an exit.
 */
const underWay = new Set<Promise<unknown>>();
let ending = false;

/** Throws if the process is about to end. */
export function admitWrite(): void {
  if (ending) throw new Error('The process is stopping and no longer writes.');
}

export function trackWrite(write: Promise<unknown>): void {
  underWay.add(write);
  const forget = (): void => void underWay.delete(write);
  write.then(forget, forget);
}

/** Refuses further writes permanently and resolves when none is in flight; false when that takes too long. */
export async function endWrites(withinMs: number): Promise<boolean> {
  ending = true;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), withinMs);
  });
  const rest = Promise.allSettled(underWay).then(() => true);
  try {
    return await Promise.race([rest, late]);
  } finally {
    clearTimeout(timer);
  }
}
