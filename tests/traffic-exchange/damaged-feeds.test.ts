import { beforeAll, describe, expect, it } from 'vitest';
import { seeded } from '#bench/routing/seeded.js';
import { readDatex2 } from '#traffic-exchange/datex2/read-datex2.js';
import { writeDatex2 } from '#traffic-exchange/datex2/write-datex2.js';
import { InvalidFeed, type ReadFeed } from '#traffic-exchange/events/road-event.js';
import { EventMatcher } from '#traffic-exchange/feeds/match-event.js';
import { planImport } from '#traffic-exchange/feeds/plan-import.js';
import { readWzdx } from '#traffic-exchange/wzdx/read-wzdx.js';
import { writeWzdx } from '#traffic-exchange/wzdx/write-wzdx.js';
import { runs } from '../property-runs.js';
import { head, publishedTown } from './published-town.js';
import { datex2Feed, situation, workZone, wzdxFeed } from './sample-feeds.js';

let town: Awaited<ReturnType<typeof publishedTown>>;
let matcher: EventMatcher;
beforeAll(async () => {
  town = await publishedTown();
  matcher = new EventMatcher(town.map.network);
});

/** Pieces that are valid somewhere, and numbers at the ends of what they may be. */
const pieces = [
  'null',
  '{}',
  '[]',
  '""',
  '0',
  '-1',
  '1e999',
  '180',
  '-90',
  'NaN',
  '<a>',
  '</a>',
  '&lt;',
  '\u0000',
  '\ud800',
];

function damaged(text: string, random: () => number): string {
  const at = Math.floor(random() * text.length);
  const length = Math.floor(random() ** 3 * 60);
  const kind = random();
  if (kind < 0.3) return text.slice(0, at) + text.slice(at + length);
  if (kind < 0.6)
    return text.slice(0, at) + pieces[Math.floor(random() * pieces.length)] + text.slice(at + length);
  if (kind < 0.8) {
    const from = Math.floor(random() * text.length);
    return text.slice(0, at) + text.slice(from, from + length) + text.slice(at);
  }
  // A number becomes another one.
  const digits = [...text.matchAll(/\d+/g)];
  const found = digits[Math.floor(random() * digits.length)]!;
  const other = String(Math.floor(10 ** (random() * 12)));
  return text.slice(0, found.index) + other + text.slice(found.index + found[0].length);
}

describe.each<[string, (text: string) => ReadFeed, () => readonly string[]]>([
  ['WZDx', readWzdx, () => [wzdxFeed([workZone(), workZone({ id: 'b' })]), writeWzdx(town.events, head)]],
  [
    'DATEX II',
    readDatex2,
    () => [datex2Feed(situation() + situation({ id: 'b' })), writeDatex2(town.events, head)],
  ],
])('a damaged feed in %s', (_format, read, samples) => {
  it('is refused with a reason, or its events are matched and planned without a fault', () => {
    const random = seeded(77);
    const texts = samples();
    const counts = { refused: 0, used: 0, skipped: 0 };
    for (let i = 0; i < runs(3_000); i++) {
      let text = texts[i % texts.length]!;
      for (let n = Math.floor(random() * 3); n >= 0; n--) text = damaged(text, random);
      let feed: ReadFeed;
      try {
        feed = read(text);
      } catch (error) {
        expect(error, text).toBeInstanceOf(InvalidFeed);
        expect((error as Error).message).toMatch(/^[A-Z].*\.$/s);
        counts.refused++;
        continue;
      }
      const plan = planImport(feed, {
        name: 'city',
        present: [],
        match: (event) => matcher.match(event),
        edgeId: String,
        nowMs: Date.UTC(2026, 10, 2, 12),
      });
      counts.used += plan.writes.length;
      counts.skipped += plan.skipped.length;
      for (const { reason } of plan.skipped) expect(reason.length).toBeGreaterThan(5);
    }
    console.log(counts);
    expect(Math.min(...Object.values(counts))).toBeGreaterThan(runs(3_000) / 30);
  });
});
