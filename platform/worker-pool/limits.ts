/** Tasks that wait for a thread; more are refused, because they would be late anyhow. */
export const queuedTasksMax = 256;
export const taskTimeoutMs = 10_000;
