import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from '#platform/http/http-types.js';
import { contentSecurityPolicy } from '#platform/http/security-headers.js';
import { staticFiles } from '#platform/http/static-files.js';

/** The live page, as `tools/build.js` bundled it. */
export function webPages(): Page[] {
  const bundle = fileURLToPath(new URL('../web', import.meta.url));
  if (!existsSync(bundle)) return [];
  return staticFiles(bundle, { at: '/', policy: contentSecurityPolicy(), immutable: /^assets\// });
}
