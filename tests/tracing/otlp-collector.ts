import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import protobuf from 'protobufjs';

/**
 * The fields that are read here, of `opentelemetry/proto/collector/trace/v1/trace_service.proto` and what it
 * imports; others are skipped.
 */
const proto = `syntax = "proto3";
message Request { repeated ResourceSpans resource_spans = 1; }
message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
message Resource { repeated KeyValue attributes = 1; }
message ScopeSpans { repeated Span spans = 2; }
message Span {
  bytes trace_id = 1; bytes span_id = 2; bytes parent_span_id = 4; string name = 5; int32 kind = 6;
  fixed64 start_time_unix_nano = 7; fixed64 end_time_unix_nano = 8;
  repeated KeyValue attributes = 9; repeated Link links = 13; Status status = 15;
}
message Link { bytes trace_id = 1; bytes span_id = 2; }
message Status { int32 code = 3; }
message KeyValue { string key = 1; AnyValue value = 2; }
message AnyValue { oneof value { string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4; } }
`;
const requestType = protobuf.parse(proto).root.lookupType('Request');

export interface CollectedSpan {
  readonly service: unknown;
  readonly traceId: string;
  readonly id: string;
  /** Empty for the root of a trace. */
  readonly parentId: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly links: readonly string[];
  readonly isError: boolean;
}

export interface Collector {
  readonly url: string;
  readonly spans: readonly CollectedSpan[];
  /** Everything received, as it arrived. */
  readonly bodies: readonly Buffer[];
  readonly headers: readonly NodeJS.Dict<string | string[]>[];
  /** From the root to this span, along parents only. */
  ancestry(span: CollectedSpan): readonly CollectedSpan[];
  close(): Promise<void>;
}

interface Attribute {
  readonly key: string;
  readonly value?: Readonly<Record<string, unknown>>;
}
interface ProtoSpan {
  readonly traceId: Uint8Array;
  readonly spanId: Uint8Array;
  readonly parentSpanId: Uint8Array;
  readonly name: string;
  readonly kind: number;
  readonly attributes: readonly Attribute[];
  readonly links: ReadonlyArray<Pick<ProtoSpan, 'traceId' | 'spanId'>>;
  readonly status?: { readonly code: number } | null;
}
interface ProtoRequest {
  readonly resourceSpans: ReadonlyArray<{
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: ReadonlyArray<{ readonly spans: readonly ProtoSpan[] }>;
  }>;
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const readAttributes = (list: readonly Attribute[]): Record<string, unknown> =>
  Object.fromEntries(list.map(({ key, value }) => [key, Object.values(value ?? {})[0]]));

/** An HTTP server that receives and decodes what exporters of OTLP send. `status` is its answer. */
export async function openCollector({ status = 200 } = {}): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const bodies: Buffer[] = [];
  const headers: NodeJS.Dict<string | string[]>[] = [];
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const sent = Buffer.concat(chunks);
    const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent;
    const isTraces = request.url === '/v1/traces' && request.method === 'POST';
    if (isTraces && status === 200) {
      bodies.push(body);
      headers.push(request.headers);
      spans.push(...read(body));
    }
    response.writeHead(isTraces ? status : 404, { 'content-type': 'application/x-protobuf' }).end();
  };
  const server = createServer((request, response) => void receive(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    bodies,
    headers,
    ancestry(span) {
      const chain = [span];
      for (;;) {
        const [{ parentId, traceId }] = chain as [CollectedSpan];
        const parent = spans.find((each) => each.traceId === traceId && each.id === parentId);
        if (parent === undefined) return chain;
        chain.unshift(parent);
      }
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function read(body: Buffer): CollectedSpan[] {
  const request = requestType.decode(body) as unknown as ProtoRequest;
  return request.resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = readAttributes(resource.attributes)['service.name'];
    return scopeSpans.flatMap((scope) =>
      scope.spans.map((span) => ({
        service,
        traceId: hex(span.traceId),
        id: hex(span.spanId),
        parentId: hex(span.parentSpanId),
        name: span.name,
        kind: span.kind,
        attributes: readAttributes(span.attributes),
        links: span.links.map((link) => hex(link.spanId)),
        isError: span.status?.code === 2,
      })),
    );
  });
}
