import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { linesTo } from '../../cli/print-lines.js';

describe('output lines of a command', () => {
  it('output lines wait for a slow reader, and none of them is lost', async () => {
    const pipe = new PassThrough({ highWaterMark: 64 });
    const print = linesTo(pipe);
    const lines = Array.from({ length: 1_000 }, (_, i) => `line ${i}`);
    let printed = 0;
    const printing = (async () => {
      for (const line of lines) {
        expect(await print(line)).toBe(true);
        printed++;
      }
      pipe.end();
    })();
    for (let i = 0; i < 10; i++) await turn();
    expect(printed).toBeLessThan(50);
    let text = '';
    for await (const chunk of pipe) text += String(chunk);
    await printing;
    expect(text).toBe(lines.map((line) => `${line}\n`).join(''));
  });

  it('output ends when the reader has closed, even while a line waits', async () => {
    const pipe = new PassThrough({ highWaterMark: 4 });
    const print = linesTo(pipe);
    const waiting = print('a line that is too long to go at once');
    await turn();
    pipe.destroy(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
    expect(await waiting).toBe(false);
    expect(await print('another')).toBe(false);
  });

  it('output fails if the disk is full', async () => {
    const pipe = new PassThrough();
    const print = linesTo(pipe);
    pipe.destroy(Object.assign(new Error('no space left'), { code: 'ENOSPC' }));
    await turn();
    await expect(print('a line')).rejects.toThrow('no space left');
  });
});
