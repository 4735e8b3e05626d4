import type { BuiltRelease, ReleaseOptions } from '#tile-builder/build-release.js';

/** CPU seconds of one build, of all threads of the process. */
export interface BuildCpu {
  readonly cpuS: number;
  /** By what the build shows as its phase. */
  readonly phases: Readonly<Record<string, number>>;
  readonly cutTiles: number;
  readonly allTiles: number;
  readonly writtenRoadTiles: number;
  readonly releaseId: string;
}

const rounded = (seconds: number): number => Math.round(1_000 * seconds) / 1_000;

/** CPU of this process so far. */
export function cpuSoFarS(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** CPU from `sinceS` to the end of the build; `first` names what comes before it shows a phase. */
export async function buildCpu(
  first: string,
  sinceS: number,
  build: (onProgress: NonNullable<ReleaseOptions['onProgress']>) => Promise<BuiltRelease>,
): Promise<BuildCpu> {
  let [phase, phaseS] = [first, sinceS];
  const phases: Record<string, number> = {};
  const lap = (next: string): void => {
    if (next === phase) return;
    const nowS = cpuSoFarS();
    phases[phase] = rounded((phases[phase] ?? 0) + nowS - phaseS);
    [phase, phaseS] = [next, nowS];
  };
  const { map, releaseId, writtenTiles } = await build(lap);
  lap('end');
  return {
    cpuS: rounded(cpuSoFarS() - sinceS),
    phases,
    cutTiles: map!.cutTiles,
    allTiles: map!.cutTiles + map!.keptTiles,
    writtenRoadTiles: writtenTiles,
    releaseId,
  };
}
