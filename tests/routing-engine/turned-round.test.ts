import { expect, it } from 'vitest';
import { answerRouteTask, type RouteTask } from '#routing-engine/tasks/route-task.js';
import { drawMap } from './ascii-map.js';

it('a driver turns around on the road only if all roads ahead are closed', async () => {
  const map = await drawMap('Z---A---B---C');
  const drive = (closed: boolean, end: Partial<RouteTask['from']> = {}): string => {
    const metric = map.metric('driving', closed ? [{ edge: map.edge('B', 'C'), closed: true }] : []);
    const outcome = answerRouteTask(map.network, {
      metric,
      from: { edge: map.edge('A', 'B'), fraction: 0.5, ...end },
      to: { edge: map.edge('A', 'Z'), fraction: 0.5 },
      avoid: 0,
      alternatives: 0,
    });
    return outcome.status === 'ok' ? map.lettersOf(outcome.routes[0]!.path.edges) : outcome.status;
  };
  // To the dead end and back while that is open.
  expect(drive(false)).toBe('ABCBAZ');
  expect(drive(true)).toBe('BAZ');
  expect(drive(false, { eitherWay: { side: 'on' } })).toBe('BAZ');
});
