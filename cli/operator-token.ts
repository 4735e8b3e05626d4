import { readFile } from 'node:fs/promises';
import type { Config } from '#platform/config/settings.js';
import { CommandFailed, exitCode } from './exit.js';
import { developmentIssuer } from './issuer.js';

/**
 * A bearer token for operators: of the file, read at each call, otherwise of the development issuer.
 *
 * @param sub names the program as the user of a development token
 */
export async function operatorToken(
  config: Config,
  tokenFile: string | undefined,
  sub: string,
): Promise<() => Promise<string>> {
  if (tokenFile !== undefined) return () => tokenOf(tokenFile);
  if (config.JWKS_URL !== undefined)
    throw new CommandFailed('JWKS_URL names another issuer; give a token with --token-file.', exitCode.usage);
  const issuer = await developmentIssuer(config);
  return () => issuer.issueToken({ sub, scopes: ['operator'], ttlS: 60 });
}

async function tokenOf(file: string): Promise<string> {
  const token = await readFile(file, 'utf8').catch(() => {
    throw new CommandFailed(`${file} cannot be read; --token-file names a file with a token.`);
  });
  return token.trim();
}
