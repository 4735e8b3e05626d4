import { type Bar, MultiBar, Presets } from 'cli-progress';

export interface BuildProgress {
  show(phase: string, done: number, total: number): void;
  end(): void;
}

const lineEveryMs = 10_000;

/**
 * A bar for each phase on a terminal, a line every ten seconds elsewhere; on stderr, since stdout is for
 * data.
 */
export function buildProgress(stream: NodeJS.WriteStream = process.stderr): BuildProgress {
  return stream.isTTY ? bars(stream) : lines(stream);
}

function bars(stream: NodeJS.WriteStream): BuildProgress {
  const multi = new MultiBar(
    { stream, format: '{phase} {bar} {percentage} %  {duration_formatted}', hideCursor: true },
    Presets.shades_classic,
  );
  const byPhase = new Map<string, Bar>();
  return {
    show(phase, done, total) {
      const bar = byPhase.get(phase) ?? multi.create(total, 0, { phase: phase.padEnd(10) });
      byPhase.set(phase, bar);
      bar.setTotal(total);
      bar.update(done);
    },
    end: () => multi.stop(),
  };
}

function lines(stream: NodeJS.WriteStream): BuildProgress {
  let saidMs = Date.now();
  return {
    show(phase, done, total) {
      if (Date.now() - saidMs < lineEveryMs) return;
      saidMs = Date.now();
      const memoryMib = Math.round(process.memoryUsage().rss / 2 ** 20);
      stream.write(`${phase}: ${Math.round((100 * done) / Math.max(1, total))} % (${memoryMib} MiB)\n`);
    },
    end: () => undefined,
  };
}
