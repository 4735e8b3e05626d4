/** Tasks that wait for a thread; further ones are refused, because they would be too late. */
export const queuedTasksMax = 256;
export const taskTimeoutMs = 10_000;
