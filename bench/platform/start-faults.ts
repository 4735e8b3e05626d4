import type { Random } from '#platform/random/random.js';
import type { PlatformFaults } from './platform-faults.js';
import type { PlatformWorld } from './platform-world.js';
import { programNames } from './simulated-programs.js';
import type { Supervisor } from './supervisor.js';

const downMsMin = 500;
const downMsMax = 6_000;
/** Now and then a program stays away for longer than anything waits for it. */
const longDownMs = 45_000;
const longDowns = 0.1;
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
  const downMs = (): number => (random.next() < longDowns ? longDownMs : between(downMsMin, downMsMax));
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
    () => programs.kill(random.pick(others), downMs()),
  );
  repeatedly(
    () => faults.apiKillEveryMs,
    () => programs.kill('api', downMs()),
  );
  repeatedly(
    () => faults.storeAwayEveryMs,
    () => {
      objects.awayUntilMs = clock.nowMs + between(awayMsMin, awayMsMax);
    },
  );
}
