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

/** A document of 1 MB in base64, with what is around it. */
const bodyBytesMax = 1_500_000;

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
  const type = request.headers['content-type'] ?? '';
  const bytes = Buffer.concat(chunks);
  const body = type.startsWith('multipart/form-data')
    ? multipart(bytes, type)
    : parse(bytes.toString(), type);
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

/** The parts by name: a text, or a file with its type and its bytes. */
function multipart(bytes: Buffer, type: string): Readonly<Record<string, unknown>> | undefined {
  const boundary = /boundary=([\w'-]{1,70})$/.exec(type)?.[1];
  if (boundary === undefined) return undefined;
  const fields: Record<string, unknown> = {};
  // One character is one byte.
  for (const part of bytes.toString('latin1').split(`--${boundary}`).slice(1, -1)) {
    const end = part.indexOf('\r\n\r\n');
    const head = part.slice(0, end);
    const content = part.slice(end + 4, -2);
    const name = /name="([^"]+)"/.exec(head)?.[1];
    if (end < 0 || name === undefined) return undefined;
    const contentType = /content-type: ([\w/.-]+)/i.exec(head)?.[1];
    fields[name] =
      contentType === undefined ? content : { contentType, bytes: Buffer.from(content, 'latin1') };
  }
  return fields;
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
