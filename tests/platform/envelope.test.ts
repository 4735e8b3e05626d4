import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { Envelope } from '#platform/encryption/envelope.js';

const [first, second] = [randomBytes(32), randomBytes(32)] as const;
const text = 'آنا <b>Åsa</b> 🧳';

test('a text opens with its key, in its place, and nowhere else', () => {
  const envelope = new Envelope([first]);
  const sealed = envelope.seal(text, 'stay-1');
  expect(envelope.open(sealed, 'stay-1')).toBe(text);
  expect(Buffer.concat([sealed.wrappedKey, sealed.sealed]).includes(Buffer.from('Åsa'))).toBe(false);
  expect(() => envelope.open(sealed, 'stay-2')).toThrow();
  const other = envelope.seal(text, 'stay-1');
  expect(() => envelope.open({ ...sealed, wrappedKey: other.wrappedKey }, 'stay-1')).toThrow();
});

test('a changed byte anywhere is noticed', () => {
  const envelope = new Envelope([first]);
  const { wrappedKey, sealed } = envelope.seal(text, 'stay-1');
  const changed = (bytes: Uint8Array, at: number) => bytes.map((byte, i) => (i === at ? byte ^ 1 : byte));
  for (let at = 0; at < wrappedKey.length; at += 1)
    expect(() => envelope.open({ wrappedKey: changed(wrappedKey, at), sealed }, 'stay-1')).toThrow();
  for (let at = 0; at < sealed.length; at += 1)
    expect(() => envelope.open({ wrappedKey, sealed: changed(sealed, at) }, 'stay-1')).toThrow();
});

test('master keys can be changed: the new one seals, the old one still opens', () => {
  const old = new Envelope([first]).seal(text, 'stay-1');
  const both = new Envelope([second, first]);
  expect(both.open(old, 'stay-1')).toBe(text);
  expect(new Envelope([second]).open(both.seal(text, 'stay-1'), 'stay-1')).toBe(text);
  expect(() => new Envelope([second]).open(old, 'stay-1')).toThrow('master key');
  expect(() => new Envelope([])).toThrow('32 bytes');
  expect(() => new Envelope([randomBytes(16)])).toThrow('32 bytes');
});
