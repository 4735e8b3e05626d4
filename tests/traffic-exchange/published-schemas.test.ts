import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { afterAll, describe, expect, it } from 'vitest';
import { writeDatex2 } from '#traffic-exchange/datex2/write-datex2.js';
import { writeSpeeds } from '#traffic-exchange/datex2/write-speeds.js';
import { readWzdx } from '#traffic-exchange/wzdx/read-wzdx.js';
import { writeWzdx } from '#traffic-exchange/wzdx/write-wzdx.js';
import { head, publishedTown } from './published-town.js';

/**
 * The schemas belong to those who publish them and are not part of this repository. `WZDX_CHECKOUT` is a
 * checkout of usdot-jpo-ode/wzdx, `DATEX2_SCHEMAS` a folder with the XML schemas of DATEX II 3.1, which needs
 * `xmllint` too. Without them these tests are skipped.
 */
const wzdx = process.env['WZDX_CHECKOUT'];
const datex2 = process.env['DATEX2_SCHEMAS'];
const folder = mkdtempSync(join(tmpdir(), 'meridian-schemas-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The two geometries that the schemas of WZDx refer to. */
const geometry = (name: string) => ({
  $id: `https://geojson.org/schema/${name}.json`,
  type: 'object',
  required: ['type', 'coordinates'],
  properties: {
    type: { enum: [name] },
    coordinates: {
      type: 'array',
      minItems: name === 'LineString' ? 2 : 0,
      items: { type: 'array', minItems: 2, items: { type: 'number' } },
    },
  },
});

function wzdxValidator() {
  const ajv = new Ajv({ strict: false, allErrors: true });
  (formats as unknown as (ajv: Ajv) => void)(ajv);
  for (const name of ['LineString', 'MultiPoint']) ajv.addSchema(geometry(name));
  const schemas = join(wzdx!, 'schemas/4.2');
  const read = (name: string) => JSON.parse(readFileSync(join(schemas, name), 'utf8')) as object;
  for (const name of readdirSync(schemas))
    if (name !== 'WorkZoneFeed.json' && name !== 'DeviceFeed.json') ajv.addSchema(read(name));
  return ajv.compile(read('WorkZoneFeed.json'));
}

describe.skipIf(wzdx === undefined)('with a checkout of WZDx (WZDX_CHECKOUT)', () => {
  it('a feed of the platform is valid by the schema of WZDx 4.2, and a damaged one is not', async () => {
    const { events } = await publishedTown();
    const validate = wzdxValidator();
    const feed = JSON.parse(writeWzdx(events, head)) as { features: { properties: object }[] };
    expect(validate(feed), JSON.stringify(validate.errors)).toBe(true);
    expect(feed.features).toHaveLength(events.flatMap(({ lines }) => lines).length);
    feed.features[0]!.properties = { ...feed.features[0]!.properties, vehicle_impact: 'closed' };
    expect(validate(feed)).toBe(false);
  });

  it('the published examples are read, every event used or named', () => {
    const examples = join(wzdx!, 'examples/WorkZoneFeed');
    const names = readdirSync(examples);
    expect(names.length).toBeGreaterThan(5);
    for (const name of names) {
      const text = readFileSync(join(examples, name), 'utf8');
      const { events, skipped } = readWzdx(text);
      const { features } = JSON.parse(text) as { features: unknown[] };
      expect(events.length + skipped.length, name).toBe(features.length);
      console.log(`${name}: ${events.length} events; ${skipped.map(({ reason }) => reason).join('; ')}`);
    }
  });
});

describe.skipIf(datex2 === undefined)('with the XML schemas of DATEX II and xmllint (DATEX2_SCHEMAS)', () => {
  const validate = (text: string) => {
    const file = join(folder, 'feed.xml');
    writeFileSync(file, text);
    const schema = join(datex2!, 'DATEXII_3_D2Payload.xsd');
    return spawnSync('xmllint', ['--noout', '--schema', schema, file], { encoding: 'utf8' });
  };

  it('speeds of the platform are valid by the schema of DATEX II 3.1, and damaged ones are not', async () => {
    const { events } = await publishedTown();
    const speeds = events
      .flatMap(({ lines }) => lines)
      .map((line) => ({ line, speedKph: 12.34, freeFlowKph: 50 }));
    const text = writeSpeeds(speeds, head.writtenMs, head);
    const { status, stderr } = validate(text);
    expect(status, stderr).toBe(0);
    expect(text).toContain('<com:speed>12.3</com:speed>');
    expect(validate(text.replaceAll('averageVehicleSpeed', 'speed')).status).not.toBe(0);
  });

  it('a feed of the platform is valid by the schema of DATEX II 3.1, and a damaged one is not', async () => {
    const { events } = await publishedTown();
    const text = writeDatex2(events, head);
    const { status, stderr } = validate(text);
    expect(status, stderr).toBe(0);
    expect(validate(text.replaceAll('>roadClosed<', '>closed<')).status).not.toBe(0);
  });
});
