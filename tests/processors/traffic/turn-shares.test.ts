import { describe, expect, it } from 'vitest';
import {
  type Approach,
  lastMissedMs,
  missedNats,
  missedShare,
  withLearntMissed,
  withMissed,
  withoutMissed,
  withTaken,
} from '#processors/traffic/turn-shares.js';

const slot = 15_000;
const period = 600_000;
const fade = 1_200_000;
const memory = 4;
type Step = readonly ['took' | 'missed', atMs: number];
const afterSteps = (...steps: readonly Step[]): Approach =>
  steps.reduce<readonly Approach[]>(
    (before, [what, atMs]) =>
      what === 'took' ? withTaken(before, 'a', atMs, memory) : withMissed(before, 'a', atMs),
    [],
  )[0]!;

describe('the choices of drivers from one road', () => {
  it('the first who takes the edge', () => {
    // The second slot and period, too: no number of them may stand for none.
    for (const [atMs, tookSlot, itsPeriod] of [
      [slot + 1, 1, 0],
      [period + 1, 40, 1],
    ] as const)
      expect(afterSteps(['took', atMs])).toEqual({
        ...{ from: 'a', took: 1, left: 0, missed: 0, missedSlots: [], tookSlot, missedSlot: -1 },
        ...{ periods: 1, period: itsPeriod, came: 1, firstMs: atMs, cameMs: atMs, passedBy: 0 },
      });
  });

  it('the first who takes another exit', () => {
    expect(afterSteps(['missed', slot + 1])).toEqual({
      ...{ from: 'a', took: 0, left: 0, missed: 1, missedSlots: [1], tookSlot: -1, missedSlot: 1 },
      ...{ periods: 0, period: -1, came: 0, firstMs: 0, cameMs: 0, passedBy: 1 },
    });
  });

  it('a platoon is one choice, however many drivers are in it', () => {
    expect(afterSteps(['took', slot], ['took', 2 * slot - 1])).toMatchObject({ took: 1, tookSlot: 1 });
    expect(afterSteps(['took', slot], ['took', 2 * slot])).toMatchObject({ took: 1.75, tookSlot: 2 });
    expect(afterSteps(['missed', slot], ['missed', 2 * slot - 1])).toMatchObject({ missed: 1, passedBy: 2 });
    expect(afterSteps(['missed', slot], ['missed', 2 * slot])).toMatchObject({
      missed: 2,
      missedSlots: [1, 2],
    });
    expect(afterSteps(['took', slot], ['missed', 2 * slot - 1])).toMatchObject({ missed: 0, passedBy: 1 });
  });

  it('a slot in which one took the edge is none without it', () => {
    const slots = afterSteps(['missed', slot], ['missed', 2 * slot], ['took', 2 * slot + 9]);
    expect(slots).toMatchObject({ took: 1, left: 0.75, missed: 0, missedSlots: [], passedBy: 0 });
    const next = afterSteps(['missed', slot], ['missed', 2 * slot], ['took', 3 * slot]);
    expect(next).toMatchObject({ took: 1, left: 1.5, missed: 0 });
    expect(afterSteps(['missed', slot], ['took', slot + 9])).toMatchObject({ took: 1, left: 0 });
  });

  it('periods are ten minutes', () => {
    expect(afterSteps(['took', period - 1], ['took', period])).toMatchObject({ periods: 2, period: 1 });
    expect(afterSteps(['took', period], ['took', 2 * period - 1])).toMatchObject({ periods: 1, period: 1 });
  });

  it('drivers who came fade within twenty minutes', () => {
    const { came, firstMs, cameMs } = afterSteps(['took', slot], ['took', slot + fade]);
    expect([came, firstMs, cameMs]).toEqual([expect.closeTo(1 + Math.exp(-1), 9), slot, slot + fade]);
  });

  it('one who came earlier than the last counts, and moves no clock', () => {
    expect(afterSteps(['took', 9 * slot], ['took', 3 * slot])).toMatchObject({ came: 2, cameMs: 9 * slot });
  });

  it('what was missed before the edge was taken is learnt, and what was missed later stays', () => {
    const missed = afterSteps(['took', slot], ['missed', 3 * slot], ['missed', 5 * slot]);
    const [learnt] = withLearntMissed([missed], 4 * slot);
    expect(learnt).toMatchObject({ left: 1, missed: 1, missedSlots: [5], passedBy: 1, cameMs: 4 * slot });
    expect(learnt!.came).toBeCloseTo(Math.exp((-3 * slot) / fade) + 1, 9);
    // Beside a driver who took it in the same slot nothing was missed, but one more came.
    const [beside] = withLearntMissed([afterSteps(['took', slot], ['missed', slot])], slot);
    expect(beside).toMatchObject({ left: 0, missed: 0, passedBy: 0, came: 2 });
  });

  it('without drivers who went elsewhere nothing is learnt or discarded', () => {
    const all = [afterSteps(['took', slot])];
    expect(withLearntMissed(all, 9 * slot)[0]).toBe(all[0]);
    expect(withoutMissed(all)[0]).toBe(all[0]);
  });

  it('the first 64 missed slots have their times', () => {
    const { missed, missedSlots } = afterSteps(
      ...Array.from({ length: 70 }, (_, n): Step => ['missed', n * slot]),
    );
    expect([missed, missedSlots]).toEqual([70, Array.from({ length: 64 }, (_, n) => n)]);
  });

  it('six roads are known, and others ignored', () => {
    const roads = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    const all = roads.reduce<readonly Approach[]>((before, from) => withMissed(before, from, slot), []);
    expect(all.map(({ from }) => from)).toEqual(roads.slice(0, 6));
  });

  it('the last missed slot of any road says until when', () => {
    const one = afterSteps(['missed', 3 * slot]);
    expect(lastMissedMs([one, { ...one, missedSlots: [1, 7] }])).toBe(8 * slot);
  });
});

describe('what choices prove', () => {
  const shares = { periodsMin: 2, shareMin: 0.5 };
  /** Twelve drivers in the time that counts: three in five minutes. */
  const usual: Approach = {
    ...{ from: 'a', took: 12, left: 4, missed: 9, missedSlots: [0, 1, 2, 3, 4, 5, 6, 7, 8] },
    ...{ tookSlot: 0, missedSlot: 8, periods: 2, period: 1 },
    ...{ came: 12, firstMs: 0, cameMs: 1e10, passedBy: 10 },
  };
  const silence = { ms: 300_000, seenMs: 1e9 };
  const counted = (approach: Partial<Approach>, { ms, seenMs } = silence): number =>
    missedShare([{ ...usual, ...approach }], { ms, seenMs }, shares).missed;

  it('no more drivers missed the edge than usually come', () => {
    expect(
      [99_999, 100_000, 299_999, 300_000].map((ms) => counted({ passedBy: 1 }, { ...silence, ms })),
    ).toEqual([0, 1, 2, 3]);
    expect(counted({ missedSlots: [0, 1] })).toBe(2);
    expect(counted({ firstMs: 1e10, passedBy: 1 })).toBe(0);
    // Within the first twenty minutes fewer have gathered.
    const halfMs = fade * Math.LN2;
    expect(counted({ cameMs: halfMs, came: 6.001 })).toBe(3);
  });

  it.each([
    ['slots in which drivers took the edge', { took: 5, left: 0 }, { took: 4.99, left: 0 }],
    ['periods', { periods: 2 }, { periods: 1 }],
    ['share of the edge', { took: 6, left: 6 }, { took: 6, left: 6.01 }],
    ['drivers, before they are a surge', { passedBy: 10 }, { passedBy: 11 }],
  ])('the least number of %s', (_, enough, tooFew) => {
    expect([counted(enough), counted(tooFew)]).toEqual([3, 0]);
  });

  it('slots at whose end a driver would have been seen', () => {
    const seen = [slot - 1, slot, 2 * slot - 1, 2 * slot].map((seenMs) =>
      counted({}, { ...silence, seenMs }),
    );
    expect(seen).toEqual([0, 1, 1, 2]);
  });

  it('nats are those of a Beta posterior over eight choices at most', () => {
    const nats = (approach: Partial<Approach>): number =>
      missedNats([{ ...usual, missedSlots: [0, 1], ...approach }], silence, shares);
    const ln = Math.log;
    expect(nats({ took: 5, left: 3 })).toBeCloseTo(ln(9 / 3.5) + ln(10 / 4.5), 9);
    expect(nats({ took: 12, left: 4 })).toBeCloseTo(ln(9 / 2.5) + ln(10 / 3.5), 9);
    expect(nats({ took: 5, left: 0 })).toBeCloseTo(ln(6 / 0.5) + ln(7 / 1.5), 9);
    const both = missedNats(
      [
        { ...usual, missedSlots: [0] },
        { ...usual, missedSlots: [1] },
      ],
      silence,
      shares,
    );
    expect(both).toBeCloseTo(2 * ln(9 / 2.5), 9);
  });

  it('the share for people is that of the roads that prove something', () => {
    expect(missedShare([usual], silence, shares)).toEqual({ missed: 3, share: 0.75 });
    const useless = { ...usual, periods: 1, took: 100 };
    expect(missedShare([usual, useless, usual], silence, shares)).toEqual({ missed: 6, share: 0.75 });
    expect(missedShare([useless], silence, shares)).toEqual({ missed: 0, share: 0 });
  });
});
