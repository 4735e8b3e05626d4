import { resolve } from 'node:path';
import type { TokenRequest } from '#platform/auth/development-issuer.js';
import { CommandFailed, exitCode } from '../exit.js';
import { developmentIssuer } from '../issuer.js';
import { readSettings } from '../read-settings.js';

export async function printToken(request: TokenRequest): Promise<void> {
  const config = readSettings();
  if (config.JWKS_URL !== undefined) {
    throw new CommandFailed('JWKS_URL names another issuer; get the token there.', exitCode.usage);
  }
  const issuer = await developmentIssuer(config);
  if (issuer.isNew)
    console.error(
      `warning: created a development issuer in ${resolve(config.MERIDIAN_DATA)}.`,
      'Only a platform that is started with this MERIDIAN_DATA accepts its tokens.',
    );
  console.log(await issuer.issueToken(request));
}
