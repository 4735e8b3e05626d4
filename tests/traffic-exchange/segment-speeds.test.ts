import { beforeAll, describe, expect, it } from 'vitest';
import { openTileset } from '#map-data/open-tileset.js';
import { ShapeNodes } from '#map-data/tiles/shape-nodes.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { buildTileset } from '#tile-builder/build-tileset.js';
import { InvalidFeed } from '#traffic-exchange/events/road-event.js';
import { edgeSpeeds } from '#traffic-exchange/segment-speeds/edge-speeds.js';
import { segmentsMax } from '#traffic-exchange/segment-speeds/limits.js';
import { readSegmentSpeeds } from '#traffic-exchange/segment-speeds/read-segment-speeds.js';
import { speedEvents } from '#traffic-exchange/segment-speeds/speed-events.js';
import { MemoryObjectStore } from '../tile-builder/memory-object-store.js';
import { playFixture } from '../tile-builder/osm-fixture.js';

describe('a file of speeds between nodes', () => {
  it('has a pair, a speed and more that does not count; the last line of a pair counts', () => {
    const speeds = readSegmentSpeeds('1,2,30\r\n\n2,1,0,0\n 1,2,27.5,7.6,comment\n-5,7,3,,x');
    expect([...speeds]).toEqual([
      ['1,2', 27.5],
      ['2,1', 0],
      ['-5,7', 3],
    ]);
    expect(readSegmentSpeeds('').size).toBe(0);
  });

  it.each([
    '1,2',
    '1,2,',
    '1,2,-10',
    '1,2,fast',
    '1;2;30',
    '1,2,1001',
    '1,2,1e3',
    '1.5,2,30',
    'from,to,speed',
  ])('refuses the line %s and names it', (line) => {
    expect(() => readSegmentSpeeds(`1,2,30\n${line}`)).toThrow(InvalidFeed);
    expect(() => readSegmentSpeeds(`1,2,30\n${line}`)).toThrow('Line 2 is not from,to,speed');
  });

  it('refuses more pairs than it can hold', () => {
    const lines = Array.from({ length: segmentsMax + 1 }, (_, at) => `${at},1,30`).join('\n');
    expect(() => readSegmentSpeeds(lines)).toThrow(`more than ${segmentsMax} pairs`);
  });
});

/** One street of 300 m from crossing to crossing, with nodes at 100 m and 200 m, and a footway. */
describe('speeds between nodes on the roads of a map', () => {
  let network: RoadNetwork;
  let nodes: ShapeNodes;

  beforeAll(async () => {
    const objects = new MemoryObjectStore();
    const town = {
      nodes: [1, 2, 3, 4, 5].map((id) => ({ id, lng: 10 + (id * 100) / 71_697, lat: 50 })),
      ways: [
        { id: 9, refs: [1, 2, 3, 4], tags: { highway: 'residential', maxspeed: '50' } },
        { id: 10, refs: [4, 5], tags: { highway: 'footway' } },
      ],
    };
    await buildTileset({ kind: 'elements', read: (sink) => playFixture(town, sink) }, objects);
    network = await openTileset(objects);
    nodes = (await ShapeNodes.open(objects, network.tilesetId))!;
  });

  const found = async (text: string) => {
    const speeds = await edgeSpeeds(network, nodes, readSegmentSpeeds(text));
    const { feed, match } = speedEvents(network, speeds);
    return {
      unknown: speeds.unknown,
      skipped: feed.skipped.map(({ reason }) => reason),
      events: feed.events.map((event) => {
        const matched = match(event);
        const edges = matched.kind === 'edges' ? matched.edges : [];
        return [event.id, ...edges.map((edge) => network.edgeId(edge))];
      }),
    };
  };

  it('slow a road as a whole, in their direction, by the time of its stretches', async () => {
    // 100 m at 10 km/h and 200 m at 40 km/h, which is free flow: 36 s and 18 s.
    expect((await found('2,3,10')).events).toEqual([['slow-20', '9:1-4+']]);
    expect((await found('3,2,10\n2,3,10')).events).toEqual([['slow-20', '9:1-4+', '9:4-1-']]);
    expect((await found('1,2,10\n2,3,10\n3,4,10')).events).toEqual([['slow-10', '9:1-4+']]);
  });

  it('close a road of which a stretch is closed', async () => {
    expect((await found('3,2,0\n2,1,30')).events).toEqual([['closed', '9:4-1-']]);
  });

  it('make no road faster, and name how many pairs are on none', async () => {
    expect(await found('1,2,90')).toEqual({ unknown: 0, skipped: [], events: [] });
    expect(await found('1,3,10\n4,5,10\n77,78,0')).toMatchObject({
      skipped: ['3 pairs of nodes are not next to each other on a road for cars'],
      events: [],
    });
  });
});
