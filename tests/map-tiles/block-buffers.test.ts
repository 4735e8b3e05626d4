import { describe, expect, it } from 'vitest';
import { BlockBuffers } from '#map-tiles/format/block-buffers.js';

describe('buffers of blocks', () => {
  it('reuses buffers after they were returned, and not before', () => {
    const buffers = new BlockBuffers();
    const first = buffers.take(1_000);
    expect(buffers.take(1_000).buffer).not.toBe(first.buffer);
    buffers.release([first]);
    const again = buffers.take(1_050);
    expect([again.buffer, again.length]).toEqual([first.buffer, 1_050]);
    expect(buffers.take(1_000).buffer).not.toBe(first.buffer);
  });

  it('does not use buffers that are too small, or would waste what another needs', () => {
    const buffers = new BlockBuffers();
    const [small, large] = [buffers.take(1_000), buffers.take(100_000)];
    buffers.release([small, large]);
    expect([small.buffer, large.buffer]).not.toContain(buffers.take(2_000).buffer);
    expect(buffers.take(90_000).buffer).toBe(large.buffer);
  });

  it('never reuses buffers that another caller created', () => {
    const buffers = new BlockBuffers();
    const read = Buffer.alloc(1_000, 7);
    buffers.release([read]);
    buffers.take(900).fill(0);
    expect(read.every((byte) => byte === 7)).toBe(true);
  });
});
