/** The address of a real server. A missing one is a failure: a suite that skips itself proves nothing. */
export function required(variable: string, beginsWith = ''): string {
  const value = process.env[variable];
  if (value === undefined || value === '' || !value.startsWith(beginsWith)) {
    throw new Error(`Set ${variable} to ${beginsWith}…, as infra/up prints it, to run this suite.`);
  }
  return value;
}
