import { join } from 'node:path';
import { type DevelopmentIssuer, openDevelopmentIssuer } from '#platform/auth/development-issuer.js';
import type { Config } from '#platform/config/settings.js';

/** The issuer with its key below MERIDIAN_DATA. Rejects when NODE_ENV is production. */
export const developmentIssuer = (config: Config): Promise<DevelopmentIssuer> =>
  openDevelopmentIssuer({
    folder: join(config.MERIDIAN_DATA, 'dev-issuer'),
    issuer: config.TOKEN_ISSUER,
    audience: config.TOKEN_AUDIENCE,
    internalAudience: config.INTERNAL_TOKEN_AUDIENCE,
    production: process.env['NODE_ENV'] === 'production',
  });
