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

/** No program that the command trusts listens at the address that it was given. */
export function nothingAnswers(url: string, error: unknown): CommandFailed {
  const { code = '' } = ((error as Error).cause ?? {}) as { readonly code?: string };
  return new CommandFailed(
    /CERT|SIGNATURE|ISSUER/.test(code)
      ? `${url} has a certificate that is not trusted (${code}). Name the file of its authority with ` +
          'NODE_EXTRA_CA_CERTS, or a host of the certificate with --url.'
      : `Nothing answers at ${url}. Start the platform, or name it with --url.`,
  );
}
