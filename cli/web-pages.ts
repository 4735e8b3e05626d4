import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Config } from '#platform/config/settings.js';
import type { Page } from '#platform/http/http-types.js';
import { staticFiles } from '#platform/http/pages/static-files.js';
import { contentSecurityPolicy } from '#platform/http/security-headers.js';

/** Pages for staff: like their operations, they do not exist on the public listener. */
const forStaff = /^\/(?:staff|finance)\//;
const forOperators = /^\/operations\//;

/** The pages, as `tools/build.js` bundled them, by the listener that serves them. */
export function webPages({ OIDC_ISSUER: issuer }: Pick<Config, 'OIDC_ISSUER'>): {
  readonly pages: Page[];
  readonly staffPages: Page[];
  /** On the internal listener, too. */
  readonly operatorPages: Page[];
} {
  const bundle = fileURLToPath(new URL('../web', import.meta.url));
  if (!existsSync(bundle)) return { pages: [], staffPages: [], operatorPages: [] };
  // Pages exchange codes and refresh tokens with the provider themselves.
  const connections = issuer === undefined ? [] : [new URL(issuer).origin];
  const policy = contentSecurityPolicy({ connections });
  const all = staticFiles(bundle, { at: '/', policy, immutable: /^assets\// });
  return {
    pages: all.filter(({ path }) => !forStaff.test(path) && !forOperators.test(path)),
    staffPages: all.filter(({ path }) => forStaff.test(path)),
    operatorPages: all.filter(({ path }) => forOperators.test(path)),
  };
}
