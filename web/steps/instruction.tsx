import { type InstructionPiece, parseInstructions } from './instructions.js';

function pieces(list: readonly InstructionPiece[]) {
  return list.map((piece, i) => {
    if (typeof piece === 'string') return piece;
    const Tag = piece.tag;
    return <Tag key={i}>{pieces(piece.inside)}</Tag>;
  });
}

export function Instruction({ html }: { html: string }) {
  return <>{pieces(parseInstructions(html))}</>;
}
