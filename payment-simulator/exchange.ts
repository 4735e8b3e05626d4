import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';

export interface Reply {
  readonly status: number;
  readonly body?: object | string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Call {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: IncomingHttpHeaders;
}

const bodyBytesMax = 64 * 1024;

/** Reads a JSON or form body; undefined when it is neither, or too long. */
export async function readCall(request: IncomingMessage): Promise<Call | undefined> {
  const url = new URL(request.url ?? '/', 'https://psp.invalid');
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > bodyBytesMax) return undefined;
    chunks.push(chunk);
  }
  const body = parse(Buffer.concat(chunks).toString(), request.headers['content-type'] ?? '');
  if (body === undefined) return undefined;
  const { method = 'GET', headers } = request;
  return { method, path: url.pathname, query: url.searchParams, body, headers };
}

function parse(text: string, type: string): Readonly<Record<string, unknown>> | undefined {
  if (text === '') return {};
  if (type.startsWith('application/x-www-form-urlencoded'))
    return Object.fromEntries(new URLSearchParams(text));
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

export function send(response: ServerResponse, { status, body, headers = {} }: Reply): void {
  if (body === undefined) {
    response.writeHead(status, headers).end();
    return;
  }
  const isText = typeof body === 'string';
  const text = isText ? body : JSON.stringify(body);
  const type = isText ? 'text/html; charset=utf-8' : 'application/json';
  // With its length known the answer is one write.
  const length = Buffer.byteLength(text);
  response.writeHead(status, { 'content-type': type, 'content-length': length, ...headers }).end(text);
}
