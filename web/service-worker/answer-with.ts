import { fromShell } from './shell.js';
import { tile, tileDescription } from './tiles.js';

/** Undefined for what only the server answers. */
export function answerWith(request: Request, origin: string): Promise<Response> | undefined {
  const { origin: of, pathname } = new URL(request.url);
  if (request.method !== 'GET' || of !== origin) return undefined;
  if (request.mode === 'navigate') return pathname === '/' ? page(request) : undefined;
  if (pathname.startsWith('/assets/')) return asset(request, pathname);
  if (pathname === '/v1/tiles.json') return tileDescription(request);
  if (/^\/v1\/tiles\/[0-9a-f]{16}\/\d+\/\d+\/\d+\.mvt$/.test(pathname)) return tile(request);
  return undefined;
}

/** The page as the server has it; if it does not answer, the one that was installed. */
async function page(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    const kept = await fromShell('/');
    if (kept === undefined) throw error;
    return kept;
  }
}

/** Names of these files change with their content. */
const asset = async (request: Request, path: string): Promise<Response> =>
  (await fromShell(path)) ?? fetch(request);
