/** A setting that cannot be used, in one sentence. No waiting mends it: a start ends with this exit code. */
export class WrongSetting extends Error {
  override readonly name = 'WrongSetting';
  readonly code = 2;
}
