import { type Page, type Route, route } from '#platform/http/http-types.js';
import { type ApiKeys, openApiRoute } from '#platform/http/openapi.js';
import { docsPages } from '#platform/http/pages/docs-pages.js';
import { problem, problems } from '#platform/http/problem.js';
import { protoText } from '#platform/wire/proto-files.js';
import { asyncApiDocument } from '#schemas/asyncapi.js';
import { getAsyncApi } from '#schemas/http/documents.js';
import { topics } from '#schemas/topics.js';
import { noHost, varyOfBaseUrl } from '../http/base-url.js';

export interface DocumentOptions {
  readonly version: string;
  /** `host:port` of Kafka, where the event log is one. */
  readonly kafkaHost?: string;
  /** Of the described server; default: it takes none. */
  readonly apiKeys?: ApiKeys;
}

/** Topics and socket frames (AsyncAPI 3.0). The .proto files are read once. */
function asyncApiRoute({ version, kafkaHost }: DocumentOptions): Route {
  const texts = new Map(topics.map(({ proto }) => [proto.file, protoText(proto.file)]));
  return route(getAsyncApi, (request) => {
    const base = request.baseUrl();
    if (base === undefined) return problem(problems.malformed, noHost);
    const { host, protocol, pathname } = new URL(base);
    const document = asyncApiDocument({
      version,
      socketHost: host,
      socketPath: pathname.replace(/\/$/, ''),
      socketProtocol: protocol === 'https:' ? 'wss' : 'ws',
      ...(kafkaHost === undefined ? {} : { kafkaHost }),
      protoText: (file) => texts.get(file)!,
    });
    return {
      status: 200,
      headers: { 'cache-control': 'public, max-age=60', vary: varyOfBaseUrl },
      body: document,
    };
  });
}

/**
 * Descriptions of a server and the pages that render them. `served`: every other route of the same server, of
 * any package, so that exactly the existing routes are described.
 */
export function documents(
  options: DocumentOptions,
  served: readonly Route[],
): { readonly routes: readonly Route[]; readonly pages: readonly Page[] } {
  const events = asyncApiRoute(options);
  const info = {
    title: 'Meridian',
    version: options.version,
    description:
      'Live traffic, exact routes and pushed reroutes. Map data © OpenStreetMap contributors, ODbL.',
  };
  const described = [...served, events];
  return {
    routes: [events, openApiRoute(info, described, options.apiKeys)],
    pages: docsPages(described.map(({ contract }) => contract)),
  };
}
