import type { StatusAnswer } from '#schemas/http/map.js';
import { ask } from '../http/ask.js';
import { statusPath } from '../http/paths.js';
import { poll } from '../http/poll.js';
import { app } from '../state/state.js';

const samplesMax = 90;

export function runStatus(): void {
  poll(
    1_000,
    async () => {
      const status = await ask<StatusAnswer>(statusPath);
      if (status === null) return;
      app.set({ status, history: [...app.get().history, status].slice(-samplesMax), server: 'answers' });
    },
    (_, failures) => {
      // A single missing answer changes nothing.
      if (failures > 1 && app.get().server === 'answers') app.set({ server: 'silent' });
    },
  );
}
