import { encodeUpload } from '#location-client/encode-upload.js';

export const bodyForms = ['json', 'protobuf'] as const;
export type BodyForm = (typeof bodyForms)[number];

/** Complete prepared requests of many users; a body is repeated only after all others. */
export function prepareRequests(options: {
  readonly form: BodyForm;
  readonly tokens: readonly string[];
  readonly users: number;
  readonly pointsPerRequest: number;
  readonly nowMs: number;
}): Buffer[] {
  const { form, tokens, users, pointsPerRequest, nowMs } = options;
  return Array.from({ length: users }, (_, user) => {
    const fixes = Array.from({ length: pointsPerRequest }, (_point, i) => ({
      lat: Number((57.7 + ((user * 7 + i) % 1_000) / 12_345).toFixed(7)),
      lng: Number((11.97 + ((user * 13 + i) % 1_000) / 12_345).toFixed(7)),
      timestamp: nowMs - (pointsPerRequest - i) * 1_000,
    }));
    const body =
      form === 'json'
        ? Buffer.from(JSON.stringify({ locs: fixes.map(({ lat, lng, timestamp }) => [lat, lng, timestamp]) }))
        : Buffer.from(encodeUpload(fixes));
    const type = form === 'json' ? 'application/json' : 'application/x-protobuf';
    const head =
      `POST /v1/locations HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${tokens[user % tokens.length]}\r\n` +
      `content-type: ${type}\r\ncontent-length: ${body.length}\r\n\r\n`;
    return Buffer.concat([Buffer.from(head), body]);
  });
}
