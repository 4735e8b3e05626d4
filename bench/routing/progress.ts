import { Presets, SingleBar } from 'cli-progress';

export interface Progress {
  show(done: number, total: number): void;
  end(): void;
}

/** A progress bar on a terminal, otherwise nothing. On stderr, because stdout is for data. */
export function progress(what: string, stream: NodeJS.WriteStream = process.stderr): Progress {
  if (!stream.isTTY) return { show: () => undefined, end: () => undefined };
  const bar = new SingleBar(
    { stream, format: `${what.padEnd(28)} {bar} {percentage} %  {duration_formatted}`, hideCursor: true },
    Presets.shades_classic,
  );
  bar.start(1, 0);
  return {
    show(done, total) {
      bar.setTotal(total);
      bar.update(done);
    },
    end: () => bar.stop(),
  };
}
