import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type InstructionPiece, parseInstructions } from '#web/steps/instructions.js';

function textOf(pieces: readonly InstructionPiece[]): string {
  return pieces.map((piece) => (typeof piece === 'string' ? piece : textOf(piece.inside))).join('');
}

function tagsOf(pieces: readonly InstructionPiece[]): string[] {
  return pieces.flatMap((piece) => (typeof piece === 'string' ? [] : [piece.tag, ...tagsOf(piece.inside)]));
}

describe('parseInstructions', () => {
  it('keeps <b> and <div>, nested, without their attributes', () => {
    expect(parseInstructions('Turn <b>left</b> onto <b class="x">Vasagatan</b><div>Toll road</div>')).toEqual(
      [
        'Turn ',
        { tag: 'b', inside: ['left'] },
        ' onto ',
        { tag: 'b', inside: ['Vasagatan'] },
        { tag: 'div', inside: ['Toll road'] },
      ],
    );
  });

  it('N8: a street name that looks like a tag is text', () => {
    const escaped = 'Turn onto <b>&lt;img src=x onerror=alert(1)&gt;</b>';
    expect(parseInstructions(escaped)[1]).toEqual({ tag: 'b', inside: ['<img src=x onerror=alert(1)>'] });
    expect(parseInstructions('<img src=x onerror=alert(1)>')).toEqual(['<img src=x onerror=alert(1)>']);
    expect(parseInstructions('<script>alert(1)</script>')).toEqual(['<script>alert(1)</script>']);
  });

  it('decodes an entity once: a doubly escaped name stays escaped once', () => {
    expect(parseInstructions('A &amp; B &amp;lt;')).toEqual(['A & B &lt;']);
  });

  it('accepts unbalanced tags as far as possible', () => {
    expect(parseInstructions('</b>a<b>b</div>c')).toEqual(['a', { tag: 'b', inside: ['b', 'c'] }]);
  });

  it('creates only b and div elements, loses no text without tags, and is bounded in depth', () => {
    const soup = fc.array(
      fc.constantFrom('<b>', '</b>', '<div>', '</div>', '<i>', '<b x=">', '&lt;', '<', '>', 'é'),
    );
    fc.assert(
      fc.property(soup, (parts) => {
        const pieces = parseInstructions(parts.join(''));
        expect(tagsOf(pieces).every((tag) => tag === 'b' || tag === 'div')).toBe(true);
        expect(textOf(pieces).split('é').length).toBe(parts.join('').split('é').length);
      }),
    );
    expect(tagsOf(parseInstructions('<b>'.repeat(100)))).toHaveLength(4);
    expect(textOf(parseInstructions('x'.repeat(10_000)))).toHaveLength(2_000);
  });
});
