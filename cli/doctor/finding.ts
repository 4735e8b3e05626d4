export type FindingState = 'ok' | 'warning' | 'failed';

/** One line of `meridian doctor`. */
export interface Finding {
  readonly check: string;
  readonly state: FindingState;
  /** What was found. */
  readonly detail: string;
  /** What a person can do; absent if nothing has to be done. */
  readonly advice?: string;
}

export type Answer = Omit<Finding, 'check'>;

export const ok = (detail: string): Answer => ({ state: 'ok', detail });
export const warning = (detail: string, advice: string): Answer => ({ state: 'warning', detail, advice });
export const failed = (detail: string, advice: string): Answer => ({ state: 'failed', detail, advice });

/** A check that hangs would hide the results of the others. */
const answerWithinMs = 8_000;

/** Runs one check; what it throws, or a time that is over, is a failure with `advice`. */
export async function finding(
  check: string,
  look: () => Answer | Promise<Answer>,
  advice: string,
): Promise<Finding> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Answer>((resolve) => {
    const detail = `no answer in ${answerWithinMs / 1_000} s`;
    timer = setTimeout(() => resolve(failed(detail, advice)), answerWithinMs);
  });
  try {
    return { check, ...(await Promise.race([Promise.resolve().then(look), late])) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { check, ...failed(reason.split('\n')[0]!, advice) };
  } finally {
    clearTimeout(timer);
  }
}
