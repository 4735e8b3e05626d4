/** What a measurement needs is not on this machine. The message says how to get it; the exit code is 2. */
export class Missing extends Error {
  override readonly name = 'Missing';
}
