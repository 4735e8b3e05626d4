import { Type } from 'typebox';
import { samplers } from '#platform/telemetry/head-sampling.js';
import type { Settings } from './setting.js';
import { count, httpUrl } from './setting-shapes.js';

/**
 * OpenTelemetry's own names. Its exporter reads more of them by itself: OTEL_EXPORTER_OTLP_HEADERS, _TIMEOUT,
 * _COMPRESSION, _CERTIFICATE, _CLIENT_CERTIFICATE, _CLIENT_KEY.
 */
export const tracingSettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    schema: httpUrl,
    doc: 'Collector of traces (OTLP over HTTP), such as http://localhost:4318. Default: traces are off.',
  },
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: {
    schema: httpUrl,
    doc: 'The same with its whole path, such as http://localhost:4318/v1/traces; it wins.',
  },
  OTEL_EXPORTER_OTLP_PROTOCOL: {
    schema: Type.Union([Type.Literal('http/protobuf')]),
    fallback: 'http/protobuf',
    doc: 'Form in which traces are sent: http/protobuf.',
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    schema: Type.String({ maxLength: 8_192 }),
    secret: true,
    doc: 'Header fields for the collector, such as an API key: name=value, joined by commas.',
  },
  OTEL_SDK_DISABLED: {
    schema: Type.Union([Type.Literal('true'), Type.Literal('false')]),
    fallback: 'false',
    doc: 'true: traces are off, whatever else is set.',
  },
  OTEL_SERVICE_NAME: {
    schema: Type.String({ minLength: 1, maxLength: 255 }),
    doc: 'Name of this program in traces. Default: meridian and its command, such as meridian-up.',
  },
  OTEL_RESOURCE_ATTRIBUTES: {
    schema: Type.String({ pattern: '^(?:[^=,]+=[^=,]*(?:,[^=,]+=[^=,]*){0,63})?$', maxLength: 8_192 }),
    fallback: '',
    doc: 'More about this program in traces: name=value, joined by commas.',
  },
  OTEL_TRACES_SAMPLER: {
    schema: Type.Union(samplers.map((name) => Type.Literal(name))),
    fallback: 'parentbased_always_on',
    doc: 'Which requests are traced, below TRACES_PER_SECOND; parentbased: as their caller decided.',
  },
  OTEL_TRACES_SAMPLER_ARG: {
    schema: Type.Number({ minimum: 0, maximum: 1 }),
    fallback: '1',
    doc: 'Share of the requests that a traceidratio sampler takes, 0 to 1.',
  },
  OTEL_BSP_MAX_QUEUE_SIZE: {
    schema: count(1_000_000),
    fallback: '2048',
    doc: 'Spans that wait for the collector; further ones are dropped and counted.',
  },
  OTEL_BSP_SCHEDULE_DELAY: {
    schema: count(600_000),
    fallback: '5000',
    doc: 'Milliseconds that a span waits at most for others of its batch.',
  },
  TRACES_PER_SECOND: {
    schema: count(100_000),
    fallback: '50',
    doc: 'Requests traced per second and process at most, also if callers want more: it bounds the cost.',
  },
} as const satisfies Settings;
