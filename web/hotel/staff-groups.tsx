import { StaffBlock } from './staff-block.js';
import { StaffBlocks } from './staff-blocks.js';
import { StaffNewBlock } from './staff-new-block.js';

/** The pages of group blocks, by the parts of the address behind `groups`. */
export function StaffGroups({ parts: [hotelId, part, blockId] }: { readonly parts: readonly string[] }) {
  if (hotelId !== undefined && part === 'new') return <StaffNewBlock key={hotelId} hotelId={hotelId} />;
  if (hotelId !== undefined && part === 'group' && blockId !== undefined)
    return <StaffBlock key={`${hotelId} ${blockId}`} hotelId={hotelId} blockId={blockId} />;
  return <StaffBlocks key={hotelId ?? ''} chosen={hotelId ?? ''} />;
}
