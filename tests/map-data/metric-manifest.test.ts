import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  decodeMetricManifest,
  digestOf,
  encodeMetricManifest,
  InvalidMetricManifest,
  isNamedBy,
  type MetricManifest,
  metricKeys,
  versionOfCellKey,
} from '#map-data/metric/metric-manifest.js';
import type { MetricCustomized } from '#schemas/messages.js';
import type { CellId } from '#schemas/units.js';

const announcement: MetricCustomized = {
  ...{ tilesetId: 'town', version: 7, cells: [3], objectKeys: ['metrics/town/cells/3/7-ab'] },
  ...{ edgeIds: ['5:1-2+'], reasons: ['speed'], causedMs: 5, publishedMs: 6, whole: true },
};
const manifest: MetricManifest = {
  ...{ tilesetId: 'town', version: 7, announcement },
  cells: new Map([
    [3 as CellId, 'metrics/town/cells/3/7-ab'],
    [12 as CellId, 'metrics/town/cells/12/5-cd'],
  ]),
};
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);
const json = () =>
  JSON.parse(Buffer.from(encodeMetricManifest(manifest)).toString()) as {
    format: string;
    digest: string;
    manifest: Record<string, unknown>;
  };
const bytesOf = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));
/** With other fields, and the digest that belongs to them. */
const forged = (fields: Record<string, unknown>): Uint8Array => {
  const changed = { ...json().manifest, ...fields };
  return bytesOf({ ...json(), digest: sha256(JSON.stringify(changed)), manifest: changed });
};
const faultOf = (bytes: Uint8Array): string => {
  try {
    decodeMetricManifest(bytes);
    return 'decoded';
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidMetricManifest);
    return (error as Error).message;
  }
};

describe('the manifest of a metric', () => {
  it('comes back as it was written', () => {
    expect(decodeMetricManifest(encodeMetricManifest(manifest))).toEqual(manifest);
    expect(json().format).toBe('meridian-metric-2');
    expect(json().digest).toBe(sha256(JSON.stringify(json().manifest)));
  });

  it('says that it is whole only if it was written so', () => {
    for (const whole of [false, undefined, 1, 'true']) {
      const decoded = decodeMetricManifest(forged({ announcement: { ...announcement, whole } }));
      expect(decoded.announcement.whole).toBe(false);
    }
  });

  it('of the format before has no digest', () => {
    expect(decodeMetricManifest(bytesOf({ ...json().manifest, format: 'meridian-metric-1' }))).toEqual(
      manifest,
    );
    expect(faultOf(bytesOf({ ...json().manifest, format: 'meridian-metric-1', version: 8 }))).toContain(
      'lacks',
    );
  });

  it.each<[string, Uint8Array, string]>([
    ['no JSON', Buffer.from('{'), 'The metric manifest is no JSON.'],
    ['a list', bytesOf([]), 'The metric manifest is no JSON object.'],
    ['null', bytesOf(null), 'The metric manifest is no JSON object.'],
    ['a text', bytesOf('meridian-metric-2'), 'The metric manifest is no JSON object.'],
    [
      'another format',
      bytesOf({ ...json(), format: 'meridian-metric-3' }),
      'The metric manifest is not meridian-metric-2.',
    ],
    ['a list within', bytesOf({ ...json(), manifest: [] }), 'The metric manifest is not meridian-metric-2.'],
    [
      'nothing within',
      bytesOf({ format: 'meridian-metric-2' }),
      'The metric manifest is not meridian-metric-2.',
    ],
    [
      'another digest',
      bytesOf({ ...json(), digest: 'f'.repeat(16) }),
      'The metric manifest does not have the digest that it was written with.',
    ],
  ])('%s is refused with its reason', (_, bytes, reason) => {
    expect(faultOf(bytes)).toBe(reason);
  });

  it.each<[string, Record<string, unknown>]>([
    ['a tileset that is no text', { tilesetId: 5, announcement: { ...announcement, tilesetId: 5 } }],
    ['a version that is no whole number', { version: 7.5, announcement: { ...announcement, version: 7.5 } }],
    ['another version than it announced', { version: 8 }],
    ['another tileset than it announced', { tilesetId: 'city' }],
    ['cells that are a list', { cells: [] }],
    ['a cell that is no number', { cells: { '3x': 'key' } }],
    ['a key that is no text', { cells: { 3: 7 } }],
    ['one bad cell among good ones', { cells: { 3: 'key', x: 'key' } }],
    ['no announcement', { announcement: null }],
  ])('%s is refused, although its digest is right', (_, fields) => {
    expect(faultOf(forged(fields))).toBe('The metric manifest lacks a field or has one of another type.');
  });
});

describe('the keys of a metric', () => {
  it('are those that stores have', () => {
    expect([
      metricKeys.folder('town'),
      metricKeys.current('town'),
      metricKeys.version('town', 7),
      metricKeys.epoch('town', 2),
      metricKeys.cell('town', 3 as CellId, 7, 'ab'),
    ]).toEqual([
      'metrics/town/',
      'metrics/town/current',
      'metrics/town/versions/7',
      'metrics/town/epochs/2',
      'metrics/town/cells/3/7-ab',
    ]);
  });

  it('name the bytes under them, and the version that wrote them', () => {
    const bytes = Uint8Array.of(1, 2, 3);
    const key = metricKeys.cell('town', 3 as CellId, 71, digestOf(bytes));
    expect(digestOf(bytes)).toHaveLength(16);
    expect([
      isNamedBy(key, bytes),
      isNamedBy(key, Uint8Array.of(1, 2, 4)),
      isNamedBy(`${key}0`, bytes),
    ]).toEqual([...[true, false, false]]);
    expect(isNamedBy(digestOf(bytes), bytes)).toBe(false);
    expect(versionOfCellKey(key)).toBe(71);
  });
});
