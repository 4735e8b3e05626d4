import { useState } from 'preact/hooks';
import type { Static } from 'typebox';
import type { GroupBlockView, listGroupBlocks } from '#schemas/http/hotel-blocks.js';
import type { HotelView } from '#schemas/http/hotels.js';
import { ask } from '../http/ask.js';
import { askAs } from './calls.js';
import { Shown } from './frame.js';
import { momentText } from './hotel-time.js';
import { HotelChoice } from './staff-hotels.js';
import { messages } from './staff-messages.js';
import { dayText } from './texts.js';
import { addressOf, noteAddress } from './use-address.js';
import { useLoaded } from './use-loaded.js';

type Blocks = Static<(typeof listGroupBlocks)['responses'][200]['schema']>;

/** As many as one answer has. */
const listMax = 200;

/** The group blocks of a hotel: open ones first, those that begin soonest before others. */
export function StaffBlocks({ chosen }: { readonly chosen: string }) {
  const [hotelId, setHotelId] = useState(chosen);
  return (
    <section>
      <div class="stay-title">
        <h2>{messages.groups}</h2>
        {hotelId !== '' && (
          <a class="main-button" href={addressOf('groups', hotelId, 'new')}>
            {messages.newBlock}
          </a>
        )}
      </div>
      <form class="stay-form" onSubmit={(event) => event.preventDefault()}>
        <HotelChoice
          hotelId={hotelId}
          onHotel={(id) => {
            setHotelId(id);
            noteAddress('groups', id);
          }}
        />
      </form>
      {hotelId !== '' && <BlocksOf key={hotelId} hotelId={hotelId} />}
    </section>
  );
}

function BlocksOf({ hotelId }: { readonly hotelId: string }) {
  const at = encodeURIComponent(hotelId);
  const [loaded] = useLoaded(hotelId, async () => {
    const [{ blocks }, hotel] = await Promise.all([
      askAs<Blocks>('desk', `/v1/staff/hotels/${at}/group-blocks`),
      ask<HotelView>(`/v1/hotels/${at}`),
    ]);
    return { blocks, timeZone: hotel!.timeZone };
  });
  return (
    <Shown state={loaded}>
      {({ blocks, timeZone }) => {
        const open = blocks.filter(({ releasedAt }) => releasedAt === null);
        const sorted = open.toSorted((a, b) => (a.startDate < b.startDate ? -1 : 1));
        const released = blocks.filter(({ releasedAt }) => releasedAt !== null);
        return (
          <>
            {blocks.length === 0 && <p class="muted">{messages.noBlocks}</p>}
            <Tiles title={messages.openBlocks} blocks={sorted} hotelId={hotelId} timeZone={timeZone} />
            <Tiles title={messages.releasedBlocks} blocks={released} hotelId={hotelId} timeZone={timeZone} />
            {blocks.length >= listMax && <p class="muted">{messages.newestBlocks(listMax)}</p>}
          </>
        );
      }}
    </Shown>
  );
}

interface TilesProps {
  readonly title: string;
  readonly blocks: readonly GroupBlockView[];
  readonly hotelId: string;
  readonly timeZone: string;
}

function Tiles({ title, blocks, hotelId, timeZone }: TilesProps) {
  if (blocks.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul class="hotel-list">
        {blocks.map((block) => (
          <li key={block.blockID}>
            <a class="tile block" href={addressOf('groups', hotelId, 'group', block.blockID)}>
              <strong>
                <bdi>{block.name}</bdi>
              </strong>
              <span>{messages.blockSummary(datesOf(block), block.code)}</span>
              <span class="muted">
                {pickUpText(block)} · {untilText(block, timeZone)}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}

export const datesOf = ({ startDate, endDate }: GroupBlockView): string =>
  startDate === endDate ? dayText(startDate) : `${dayText(startDate)} – ${dayText(endDate)}`;

export const untilText = ({ releaseAt, releasedAt }: GroupBlockView, timeZone: string): string =>
  releasedAt === null
    ? messages.heldUntil(momentText(releaseAt, timeZone))
    : messages.releasedAt(momentText(releasedAt, timeZone));

export function pickUpText({ nights, releasedAt }: GroupBlockView): string {
  const picked = nights.reduce((sum, { pickedUp }) => sum + pickedUp, 0);
  const left = nights.reduce((sum, { held }) => sum + held, 0);
  return releasedAt === null ? messages.pickedUpOf(picked, picked + left) : messages.pickedUp(picked);
}
