import { RouteTable } from '#platform/http/server/route-table.js';
import { loadUws, type UwsResponse } from '#platform/http-transport/load-uws.js';
import { routeContracts } from '#schemas/http/routes.js';

/**
 * A bare server that finds the operation of a request and answers 204: by our table (argument `ours`), or by
 * the router of uWebSockets.js. Prints its port.
 */
const uws = loadUws();
const app = uws.createApp();
let sink: unknown;

const answer = (response: UwsResponse) =>
  response.cork(() => void response.writeStatus('204 No Content').endWithoutBody());

if (process.argv[2] === 'ours') {
  const table = new RouteTable<string>();
  for (const { method, path } of routeContracts) table.add(method, path, path);
  app.any('/*', (response, request) => {
    const match = table.find(request.getMethod().toUpperCase(), request.getUrl());
    if (match?.found !== true) throw new Error(`${request.getUrl()} was not found`);
    sink = match.params;
    answer(response);
  });
} else {
  // This router ignores the text around a parameter, so templates that differ only there are one template,
  // and the handler would have to distinguish them.
  const declared = new Set<string>();
  for (const { method, path } of routeContracts) {
    const pattern = path.replaceAll(/[^/]*\{(\w+)\}[^/]*/g, ':$1');
    const names = [...pattern.matchAll(/:(\w+)/g)];
    const shape = `${method} ${pattern.replaceAll(/:\w+/g, ':')}`;
    if (declared.has(shape)) continue;
    declared.add(shape);
    const declare = { GET: 'get', POST: 'post', PUT: 'put', PATCH: 'patch', DELETE: 'del' } as const;
    app[declare[method as keyof typeof declare]](pattern, (response, request) => {
      const params: Record<string, string> = {};
      for (const [at, [, name]] of names.entries()) params[name!] = request.getParameter(at) ?? '';
      sink = params;
      answer(response);
    });
  }
}
app.listen('127.0.0.1', 0, 0, (socket) => {
  if (socket === false) throw new Error('no free port');
  console.log(uws.portOf(socket));
});
process.on('exit', () => sink);
