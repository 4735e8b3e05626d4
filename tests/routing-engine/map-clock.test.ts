import { describe, expect, it } from 'vitest';
import { mapClock, zoneClock } from '#routing-engine/arrival-times/map-clock.js';
import { clockColumns, routeFeatures, withClock } from '#routing-engine/arrival-times/route-features.js';

const hourMs = 3_600_000;

describe('the clock of a map', () => {
  it('is that of its middle, in summer and in winter', () => {
    const malta = mapClock({ bounds: [14.18, 35.8, 14.58, 36.08] });
    const winterMs = Date.UTC(2026, 0, 15, 7, 30);
    const summerMs = Date.UTC(2026, 6, 15, 7, 30);
    expect((malta(winterMs) - winterMs) / hourMs).toBe(1);
    expect((malta(summerMs) - summerMs) / hourMs).toBe(2);
    expect((malta(winterMs) - winterMs) / hourMs).toBe(1);
  });

  it('changes with the clocks of the zone, to the hour and to the half hour', () => {
    const berlin = zoneClock('Europe/Berlin');
    const changeMs = Date.UTC(2026, 2, 29, 1);
    expect(berlin(changeMs - 1) - (changeMs - 1)).toBe(hourMs);
    expect(berlin(changeMs) - changeMs).toBe(2 * hourMs);
    const kolkata = zoneClock('Asia/Kolkata');
    expect(kolkata(changeMs) - changeMs).toBe(5.5 * hourMs);
    expect(zoneClock('America/New_York')(changeMs) - changeMs).toBe(-4 * hourMs);
  });

  it('gives a trip its hour and its day of the week', () => {
    const edges = [{ edgeId: '1', freeFlowMs: 60_000, lengthM: 1_000 }];
    const rowAt = (localMs: number): readonly number[] =>
      routeFeatures({ departMs: 0, localMs, metricS: 60, edges }, () => undefined).row.slice(clockColumns[0]);
    // 2026-11-27 was a Friday.
    expect(rowAt(Date.UTC(2026, 10, 27, 23, 30))).toEqual([23.5, 0]);
    expect(rowAt(Date.UTC(2026, 10, 28, 0, 15))).toEqual([0.25, 1]);
    expect(rowAt(Date.UTC(2026, 10, 30))).toEqual([0, 0]);
    expect(rowAt(-hourMs)).toEqual([23, 0]);
    const { row } = routeFeatures({ departMs: 0, localMs: 0, metricS: 60, edges }, () => undefined);
    expect(withClock(row, Date.UTC(2026, 10, 28, 9))).toEqual([...row.slice(0, clockColumns[0]), 9, 1]);
  });
});
