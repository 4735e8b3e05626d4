/** A piece of an instruction: text, or an element with pieces inside. */
export type InstructionPiece =
  | string
  | { readonly tag: 'b' | 'div'; readonly inside: readonly InstructionPiece[] };

const lengthMax = 2_000;
const depthMax = 4;
const allowedTag = /<(\/?)(b|div)(?:\s[^<>]*)?>/gi;
const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&#x27;': "'",
  '&nbsp;': ' ',
};

function plainText(escaped: string): string {
  return escaped.replace(/&(?:amp|lt|gt|quot|nbsp|#39|#x27);/g, (entity) => entities[entity] ?? entity);
}

/**
 * Reads `html_instructions` into a tree in which only `<b>` and `<div>` are elements, both without
 * attributes; everything else, another tag too, is text. The page creates nodes and never sets HTML, so a
 * street named like a tag is only text.
 */
export function parseInstructions(html: string): InstructionPiece[] {
  const bounded = html.slice(0, lengthMax);
  const root: InstructionPiece[] = [];
  const open: { tag: 'b' | 'div'; inside: InstructionPiece[] }[] = [];
  const into = () => open.at(-1)?.inside ?? root;
  let from = 0;

  for (const match of bounded.matchAll(allowedTag)) {
    if (match.index > from) into().push(plainText(bounded.slice(from, match.index)));
    from = match.index + match[0].length;
    const tag = (match[2] as string).toLowerCase() as 'b' | 'div';
    if (match[1] === '/') {
      const opened = open.findLastIndex((piece) => piece.tag === tag);
      if (opened >= 0) open.length = opened;
    } else if (open.length < depthMax) {
      const piece = { tag, inside: [] };
      into().push(piece);
      open.push(piece);
    }
  }
  if (from < bounded.length) into().push(plainText(bounded.slice(from)));
  return root;
}

/** The words of an instruction before its first block, for a voice or one line: no arrival, no hint. */
export function plainInstruction(html: string): string {
  const words = (pieces: readonly InstructionPiece[]): string =>
    pieces
      .map((piece) => (typeof piece === 'string' ? piece : piece.tag === 'b' ? words(piece.inside) : ''))
      .join('');
  return words(parseInstructions(html)).trim();
}
