import { useState } from 'preact/hooks';
import type { SavedCardBody } from '#schemas/http/saved-cards.js';
import { askAs } from './calls.js';
import { isExpired, nameOfCard } from './card-choice.js';
import { messages as texts } from './card-messages.js';
import { savedCardPathOf, savedCardsPath } from './card-paths.js';
import { Shown } from './frame.js';
import { HotelLink } from './hotel-link.js';
import { messages } from './messages.js';
import { addressOf } from './use-address.js';
import { Said, useDeed } from './use-deed.js';
import { useLoaded } from './use-loaded.js';

interface PageOfCards {
  readonly cards: readonly SavedCardBody[];
  readonly next: string | null;
}

/** The cards that the provider keeps for this guest, the latest first, page by page. */
export function CardsPage() {
  const [pages, setPages] = useState<readonly string[]>(['']);
  const { deed, run } = useDeed();
  return (
    <section>
      <h2>{texts.savedCards}</h2>
      <Said deed={deed} />
      {pages.map((before, at) => (
        <OnePage
          key={before}
          before={before}
          run={run}
          busy={deed.busy}
          {...(at === pages.length - 1 ? { onMore: (next: string) => setPages([...pages, next]) } : {})}
        />
      ))}
    </section>
  );
}

interface OnePageProps {
  readonly before: string;
  readonly run: (work: () => Promise<string>) => Promise<void>;
  readonly busy: boolean;
  readonly onMore?: (before: string) => void;
}

function OnePage({ before, run, busy, onMore }: OnePageProps) {
  const query = new URLSearchParams({ limit: '20', ...(before === '' ? {} : { before }) });
  const [page, again] = useLoaded(before, () => askAs<PageOfCards>('customer', `${savedCardsPath}?${query}`));
  const remove = (card: SavedCardBody) =>
    run(async () => {
      await askAs('customer', savedCardPathOf(card.card_id), { method: 'DELETE' });
      again();
      return texts.cardRemoved(nameOfCard(card));
    });
  return (
    <Shown state={page}>
      {({ cards, next }) => (
        <>
          {before === '' && cards.length === 0 && (
            <p class="muted">
              {texts.noSavedCards} {texts.howToSaveCards}{' '}
              <a href={addressOf('hotels')}>{messages.findHotel}</a>
            </p>
          )}
          <ul class="reservations">
            {cards.map((card) => (
              <SavedCard key={card.card_id} card={card} busy={busy} onRemove={() => void remove(card)} />
            ))}
          </ul>
          {onMore !== undefined && next !== null && (
            <button type="button" class="main-button quiet" onClick={() => onMore(next)}>
              {texts.olderCards}
            </button>
          )}
        </>
      )}
    </Shown>
  );
}

interface SavedCardProps {
  readonly card: SavedCardBody;
  readonly busy: boolean;
  readonly onRemove: () => void;
}

/** A card asks for confirmation, because it cannot be saved again without typing it. */
function SavedCard({ card, busy, onRemove }: SavedCardProps) {
  const [asking, setAsking] = useState(false);
  const month = card.expiry_month ?? '';
  const isOver = isExpired(card);
  return (
    <li class="card" data-card={card.card_id}>
      <div class="card-head">
        <h3>{nameOfCard(card)}</h3>
        <span class={isOver ? 'bad' : 'muted'}>
          {isOver ? texts.cardIsOver(month) : texts.cardExpires(month)}
        </span>
      </div>
      <Seller account={card.seller_account} />
      <div class="button-row wrap">
        {asking ? (
          <>
            <p class="wide">{texts.removingCard}</p>
            <button type="button" class="main-button danger" disabled={busy} onClick={onRemove}>
              {texts.confirmRemoveCard}
            </button>
            <button type="button" class="main-button quiet" disabled={busy} onClick={() => setAsking(false)}>
              {texts.keepCard}
            </button>
          </>
        ) : (
          <button
            type="button"
            class="main-button quiet"
            aria-label={texts.removeCardOf(nameOfCard(card))}
            onClick={() => setAsking(true)}
          >
            {texts.removeCard}
          </button>
        )}
      </div>
    </li>
  );
}

/** Each hotel is a seller; of others, the name of the account is all that is known. */
function Seller({ account }: { readonly account: string }) {
  const hotelId = /^hotel\/(.+)$/.exec(account)?.[1];
  return hotelId === undefined ? (
    <p>{texts.cardPaysSeller(account)}</p>
  ) : (
    <p>
      {texts.cardPaysHotel} <HotelLink hotelId={hotelId} />
    </p>
  );
}
