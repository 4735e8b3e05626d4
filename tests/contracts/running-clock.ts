import { VirtualClock } from '#bench/simulation/virtual-clock.js';

/** A virtual clock that keeps up with real time, for contract suites, which wait in real time. */
export function runningClock(): { readonly clock: VirtualClock; readonly stop: () => void } {
  const clock = new VirtualClock(Date.now());
  let isOver = false;
  const run = async (): Promise<void> => {
    while (!isOver) {
      await clock.runUntil(Date.now());
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  };
  void run();
  return {
    clock,
    stop: () => {
      isOver = true;
    },
  };
}
