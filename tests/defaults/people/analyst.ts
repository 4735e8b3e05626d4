import { expect } from 'vitest';
import type { DefaultPlatform } from '../default-platform.js';
import type { Person } from '../person.js';

interface Row {
  readonly partition: number;
  readonly offset: string | number;
  readonly value: Readonly<Record<string, unknown>>;
}

/** Reads topics from their beginning: each record is decoded, and what was read before is there again. */
export async function analyst(platform: DefaultPlatform): Promise<Person> {
  const topics = ['traffic.incident.changed.v1', 'traffic.segment.speed.v1', 'road.metric.customized.v1'];
  const least = new Map<string, number>();
  return {
    name: 'analyst',
    everyMs: 30_000,
    async round(n) {
      const topic = topics[n % topics.length]!;
      const { code, stdout, stderr } = await platform.command(
        ...['events', 'tail', topic, '--json', '--from', 'earliest', '--no-follow'],
      );
      expect([code, stderr]).toEqual([0, '']);
      const rows = stdout
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Row);
      for (const { value } of rows) expect(Object.keys(value).length).toBeGreaterThan(0);
      const places = new Set(rows.map(({ partition, offset }) => `${partition}:${offset}`));
      expect(places.size).toBe(rows.length);
      expect(rows.length).toBeGreaterThanOrEqual(least.get(topic) ?? 0);
      least.set(topic, rows.length);
    },
    async finish() {
      const { code, stdout } = await platform.command('events', 'list');
      expect([code, topics.filter((topic) => !stdout.includes(topic))]).toEqual([0, []]);
      expect(Math.max(...least.values())).toBeGreaterThan(0);
    },
  };
}
