import { useState } from 'preact/hooks';
import type { HotelView } from '#schemas/http/hotels.js';
import { ask } from '../http/ask.js';
import { blockOf, newEntry } from './block-entry.js';
import { BlockForm } from './block-form.js';
import { askAs } from './calls.js';
import { Shown } from './frame.js';
import { messages } from './staff-messages.js';
import { addressOf, goTo } from './use-address.js';
import { useDeed } from './use-deed.js';
import { useLoaded } from './use-loaded.js';

export function StaffNewBlock({ hotelId }: { readonly hotelId: string }) {
  const path = `/v1/hotels/${encodeURIComponent(hotelId)}`;
  const [hotel] = useLoaded(path, async () => (await ask<HotelView>(path))!);
  return (
    <section>
      <a href={addressOf('groups', hotelId)}>{messages.allGroups}</a>
      <h2>{messages.newBlock}</h2>
      <Shown state={hotel}>{(found) => <NewBlock hotel={found} />}</Shown>
    </section>
  );
}

function NewBlock({ hotel }: { readonly hotel: HotelView }) {
  const [entry, setEntry] = useState(() => newEntry(hotel));
  // The same for every attempt: a request that is repeated holds the rooms once.
  const [blockId] = useState(() => crypto.randomUUID());
  const { deed, run, forget } = useDeed();
  const save = () =>
    run(async () => {
      const path = `/v1/staff/hotels/${encodeURIComponent(hotel.hotelID)}/group-blocks/${blockId}`;
      await askAs('desk', path, { method: 'PUT', body: blockOf(entry, hotel) });
      goTo('groups', hotel.hotelID, 'group', blockId);
      return '';
    });
  return (
    <BlockForm
      hotel={hotel}
      entry={entry}
      deed={deed}
      onEntry={(next) => {
        setEntry(next);
        forget();
      }}
      onSave={() => void save()}
      onCancel={() => goTo('groups', hotel.hotelID)}
    />
  );
}
