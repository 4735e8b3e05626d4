import { describe, expect, it } from 'vitest';
import { mappedBuffer, mappedBytesLeast } from '#map-data/arrays/mapped-buffer.js';
import { Scratch } from '#map-data/arrays/scratch.js';

describe('columns of a build', () => {
  it('are the same memory for each build of a long-running builder', () => {
    const scratch = new Scratch();
    const first = scratch.int32('column', 1_000).fill(7);
    expect(scratch.int32('column', 900).buffer).toBe(first.buffer);
    expect(scratch.int32('column', 900)[899]).toBe(7);
  });

  it('are new memory for each stage of a single build, so that none is held by its name', () => {
    const scratch = new Scratch({ reuse: false });
    const first = scratch.int32('column', 1_000).fill(7);
    const again = scratch.int32('column', 1_000);
    expect(again.buffer).not.toBe(first.buffer);
    expect(again).toEqual(new Int32Array(1_000));
  });

  it('have pages of their own if they are large, which the system has back with them', () => {
    const scratch = new Scratch({ reuse: false });
    const large = scratch.float64('large', 2 ** 17);
    expect(large).toHaveLength(2 ** 17);
    expect(large.byteOffset).toBe(0);
    expect(large.buffer.byteLength).toBe(mappedBytesLeast);
    expect(scratch.float64('small', 100).buffer.byteLength).toBe(800);
    expect(mappedBuffer(2 * mappedBytesLeast).byteLength).toBe(2 * mappedBytesLeast);
  });
});
