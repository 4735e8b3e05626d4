/**
 * One line per name with the seconds since the start: redrawn in place on a terminal, printed at each change
 * elsewhere. It goes to the standard error, so that the standard output is only the env lines.
 */
export function progress(names) {
  const out = process.stderr;
  const began = performance.now();
  const width = Math.max(...names.map((name) => name.length));
  const lines = new Map(names.map((name) => [name, { text: 'waiting', at: undefined }]));
  const seconds = (at = performance.now()) => ((at - began) / 1000).toFixed(1).padStart(6);
  const format = (name, { text, at }) => `${name.padEnd(width)} ${seconds(at)} s  ${text}\n`;
  let drawn = 0;

  function draw() {
    if (drawn > 0) out.write(`\x1b[${drawn}A`);
    for (const [name, line] of lines)
      out.write(
        `\x1b[2K${format(name, line)
          .slice(0, (out.columns ?? 80) - 1)
          .trimEnd()}\n`,
      );
    drawn = lines.size;
  }

  const timer = out.isTTY ? setInterval(draw, 200) : undefined;
  const change = (name, line) => {
    lines.set(name, line);
    if (!out.isTTY) out.write(format(name, line));
  };
  return {
    report: (name, text) => change(name, { text, at: undefined }),
    finish: (name, text) => change(name, { text, at: performance.now() }),
    end() {
      clearInterval(timer);
      if (out.isTTY) draw();
    },
  };
}
