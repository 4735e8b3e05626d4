import { messages } from './staff-messages.js';
import { StayList } from './stay-list.js';

/** As many as the answer about a block has. */
const idsMax = 500;

interface RoomingListProps {
  readonly ids: readonly string[];
  /** Names of room types by id. */
  readonly types: ReadonlyMap<string, string>;
}

/** Who has reserved with the code of a group, newest first. */
export function RoomingList({ ids, types }: RoomingListProps) {
  return (
    <StayList
      title={messages.pickUps(ids.length)}
      empty={messages.noPickUps}
      ids={ids}
      typeOf={(type) => types.get(type) ?? messages.someRoom}
      more={ids.length >= idsMax ? messages.newestPickUps : ''}
    />
  );
}
