import type { Random } from '#platform/random/random.js';
import type { PlatformFaults } from './platform-faults.js';
import type { PlatformWorld } from './platform-world.js';
import { programNames } from './simulated-programs.js';
import type { Supervisor } from './supervisor.js';

const downMsMin = 500;
const downMsMax = 6_000;
const awayMsMin = 1_000;
const awayMsMax = 4_000;

/** Kills and outages at random times, for as long as the faults say so. */
export function startFaults(
  { clock, objects }: PlatformWorld,
  programs: Supervisor,
  faults: PlatformFaults,
  random: Random,
): void {
  const between = (least: number, most: number): number => least + (most - least) * random.next();
  const repeatedly = (everyMs: () => number, act: () => void): void => {
    const next = (): void => {
      const meanMs = everyMs();
      if (!Number.isFinite(meanMs)) return;
      clock.at(-Math.log(1 - random.next()) * meanMs, () => {
        if (!Number.isFinite(everyMs())) return;
        act();
        next();
      });
    };
    next();
  };
  const others = programNames.filter((name) => name !== 'api');
  repeatedly(
    () => faults.killEveryMs,
    () => programs.kill(random.pick(others), between(downMsMin, downMsMax)),
  );
  repeatedly(
    () => faults.apiKillEveryMs,
    () => programs.kill('api', between(downMsMin, downMsMax)),
  );
  repeatedly(
    () => faults.storeAwayEveryMs,
    () => {
      objects.awayUntilMs = clock.nowMs + between(awayMsMin, awayMsMax);
    },
  );
}
