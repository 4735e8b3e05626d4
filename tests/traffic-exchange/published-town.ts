import type { FeedHead, PublishedEvent } from '#traffic-exchange/events/published-event.js';
import { EdgeLines } from '#traffic-exchange/feeds/lines-of-edges.js';
import { type DrawnMap, drawMap } from '../routing-engine/ascii-map.js';

export const head: FeedHead = { publisher: 'Meridian', writtenMs: Date.UTC(2026, 10, 2, 10) };

/** A town with incidents of every kind, and the edges of each. */
export async function publishedTown(): Promise<{
  readonly map: DrawnMap;
  readonly events: readonly PublishedEvent[];
  readonly edgesOf: ReadonlyMap<string, readonly number[]>;
}> {
  const map = await drawMap(
    `
    A----B----C----G
         |    |
    D----E----F----H`,
    { stepM: 40, ways: { ABCG: { maxspeed: '70', highway: 'primary' }, DEFH: { oneway: 'yes' } } },
  );
  const lines = new EdgeLines(map.network);
  const edgesOf = new Map<string, readonly number[]>([
    ['both-directions', [map.edge('A', 'B'), map.edge('B', 'A')]],
    ['a-way', [map.edge('D', 'E'), map.edge('F', 'H'), map.edge('E', 'F')]],
    ['two-roads', [map.edge('B', 'E'), map.edge('C', 'F')]],
    ['slow', [map.edge('B', 'C'), map.edge('C', 'G')]],
  ]);
  const events = [...edgesOf].map(([id, edges]): PublishedEvent => {
    const isSlow = id === 'slow';
    return {
      id,
      effect: isSlow ? { kind: 'slow', speedKph: 20.5 } : { kind: 'closed' },
      source: id === 'a-way' ? 'detected' : 'operator',
      startMs: Date.UTC(2026, 10, 1),
      endMs: Date.UTC(2026, 10, 3),
      road: isSlow ? '' : 'Storgatan',
      description: isSlow ? '' : 'Rör & <b>kablar</b> "här"\u0001',
      lines: lines.of(edges),
    };
  });
  return { map, events, edgesOf };
}
