/** Exit codes of the command, for scripts. */
export const exitCode = { failed: 1, usage: 2, notFound: 3, interrupted: 130 } as const;

/**
 * Ends the command with one sentence on stderr instead of a stack trace: the error is in the input, not in
 * the program.
 */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
  readonly code: number;

  constructor(message: string, code: number = exitCode.failed) {
    super(message);
    this.code = code;
  }
}

/** No program listens at the address that the command was given. */
export const nothingAnswers = (url: string): CommandFailed =>
  new CommandFailed(`Nothing answers at ${url}. Start the platform, or name it with --url.`);
