/** A setting that cannot be used, in one sentence. No waiting mends it. */
export class WrongSetting extends Error {
  override readonly name = 'WrongSetting';
  readonly retriable = false;
}
