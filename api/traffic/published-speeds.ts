import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PublishedLine, PublishedSpeed } from '#traffic-exchange/events/published-event.js';
import { feedSpeedsMax, speedLinesKeptMax } from '../http/limits.js';
import type { RoadLines } from '../ports/road-lines.js';
import type { EdgeTraffic } from '../ports/traffic-view.js';

/** Live speeds as the platform publishes them. The road of each edge is described once. */
export class PublishedSpeeds {
  #tilesetId = '';
  readonly #lines = new Map<number, PublishedLine | undefined>();

  /**
   * The edges that are slowest beside their usual speed; those that are closed are incidents. Other requests
   * have their turns between the edges that are not described yet.
   */
  async of(differing: Iterable<EdgeTraffic>, tilesetId: string, lines: RoadLines): Promise<PublishedSpeed[]> {
    const slowest = [...differing]
      .filter(({ closed }) => !closed)
      .toSorted((a, b) => a.speedKph / a.freeFlowKph - b.speedKph / b.freeFlowKph)
      .slice(0, feedSpeedsMax);
    if (this.#tilesetId !== tilesetId || this.#lines.size > speedLinesKeptMax) this.#lines.clear();
    this.#tilesetId = tilesetId;
    const speeds: PublishedSpeed[] = [];
    for (const { edge, speedKph, freeFlowKph } of slowest) {
      if (!this.#lines.has(edge)) {
        await nextTurn();
        this.#lines.set(edge, lines.of([edge])[0]);
      }
      const line = this.#lines.get(edge);
      if (line !== undefined) speeds.push({ line, speedKph, freeFlowKph });
    }
    return speeds;
  }
}
