import { useState } from 'preact/hooks';
import type { GroupBlockView } from '#schemas/http/hotel-blocks.js';
import type { HotelView } from '#schemas/http/hotels.js';
import { ask } from '../http/ask.js';
import { changeOf, entryOf } from './block-entry.js';
import { BlockForm } from './block-form.js';
import { BlockNights } from './block-nights.js';
import { askAs } from './calls.js';
import { ConfirmWithReason } from './confirm-with-reason.js';
import { Shown } from './frame.js';
import { RoomingList } from './rooming-list.js';
import { datesOf, pickUpText, untilText } from './staff-blocks.js';
import { messages } from './staff-messages.js';
import { addressOf } from './use-address.js';
import { Said, useDeed } from './use-deed.js';
import { useLoaded } from './use-loaded.js';

/** One group: its numbers by night, its reservations, and what can be done with it. */
export function StaffBlock({ hotelId, blockId }: { readonly hotelId: string; readonly blockId: string }) {
  const at = encodeURIComponent(hotelId);
  const path = `/v1/staff/hotels/${at}/group-blocks/${encodeURIComponent(blockId)}`;
  const [loaded, again] = useLoaded(path, async () => {
    const [block, hotel] = await Promise.all([
      askAs<GroupBlockView>('desk', path),
      ask<HotelView>(`/v1/hotels/${at}`),
    ]);
    const types = new Map(hotel!.roomTypes.map(({ roomTypeID, name }) => [roomTypeID, name]));
    return { block, hotel: hotel!, types };
  });
  return (
    <section>
      <a href={addressOf('groups', hotelId)}>{messages.allGroups}</a>
      <Shown state={loaded}>
        {({ block, hotel, types }) => (
          <>
            <div class="stay-title">
              <div>
                <h2>
                  <bdi>{block.name}</bdi>
                </h2>
                <p>{messages.blockSummary(datesOf(block), block.code)}</p>
                <p class="muted">{pickUpText(block)}</p>
              </div>
              <span class={block.releasedAt === null ? 'status status-paid' : 'status'}>
                {untilText(block, hotel.timeZone)}
              </span>
            </div>
            <section class="card">
              <h3>{messages.nightsTitle}</h3>
              <BlockNights nights={block.nights} types={types} />
            </section>
            <Deeds path={path} block={block} hotel={hotel} onChanged={again} />
            <RoomingList ids={block.reservationIDs} types={types} />
            <a href={addressOf('actions', hotelId)}>{messages.staffActivity}</a>
          </>
        )}
      </Shown>
    </section>
  );
}

interface DeedsProps {
  readonly path: string;
  readonly block: GroupBlockView;
  readonly hotel: HotelView;
  readonly onChanged: () => void;
}

function Deeds({ path, block, hotel, onChanged }: DeedsProps) {
  const [open, setOpen] = useState<'' | 'change' | 'release'>('');
  const { deed, run, forget } = useDeed();
  const post = (part: string, body: object) =>
    run(async () => {
      await askAs('desk', `${path}/${part}`, { method: 'POST', body });
      setOpen('');
      onChanged();
      return part === 'change' ? messages.blockChanged : '';
    });
  if (block.releasedAt !== null) return null;
  const close = () => {
    setOpen('');
    forget();
  };
  if (open === 'change')
    return (
      <ChangeBlock
        block={block}
        hotel={hotel}
        deed={deed}
        onEdit={forget}
        onChange={(body) => void post('change', body)}
        onCancel={close}
      />
    );
  if (open === 'release')
    return (
      <ConfirmWithReason
        question={messages.releaseQuestion(block.nights.reduce((sum, { held }) => sum + held, 0))}
        confirm={messages.confirmRelease}
        deed={deed}
        onConfirm={(reason) => void post('release', { reason })}
        onKeep={close}
      />
    );
  return (
    <>
      <div class="button-row wrap">
        <button type="button" class="main-button" onClick={() => setOpen('change')}>
          {messages.change}
        </button>
        <button type="button" class="main-button quiet" onClick={() => setOpen('release')}>
          {messages.release}
        </button>
      </div>
      <Said deed={deed} />
    </>
  );
}

function ChangeBlock({
  block,
  hotel,
  deed,
  onEdit,
  onChange,
  onCancel,
}: {
  readonly block: GroupBlockView;
  readonly hotel: HotelView;
  readonly deed: Parameters<typeof Said>[0]['deed'];
  readonly onEdit: () => void;
  readonly onChange: (body: object) => void;
  readonly onCancel: () => void;
}) {
  const [before] = useState(() => entryOf(block, hotel));
  const [entry, setEntry] = useState(before);
  const [unchanged, setUnchanged] = useState(false);
  const save = () => {
    const change = changeOf(entry, before, hotel);
    setUnchanged(change === undefined);
    if (change !== undefined) onChange(change);
  };
  return (
    <BlockForm
      hotel={hotel}
      entry={entry}
      before={before}
      deed={unchanged ? { busy: false, text: messages.nothingChanged, bad: false } : deed}
      onEntry={(next) => {
        setEntry(next);
        setUnchanged(false);
        onEdit();
      }}
      onSave={save}
      onCancel={onCancel}
    />
  );
}
