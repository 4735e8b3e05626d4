import type { SavedCardBody } from '#schemas/http/saved-cards.js';
import { askAs } from './calls.js';
import { messages as texts } from './card-messages.js';
import { savedCardsPath } from './card-paths.js';
import { useLoaded } from './use-loaded.js';

/** The guest pays with a card that was saved earlier, or with one that the page of the provider asks for. */
export type CardChoice =
  | { readonly kind: 'saved'; readonly card: SavedCardBody }
  | { readonly kind: 'page'; readonly isSaved: boolean };

interface CardChoiceProps {
  readonly hotelId: string;
  readonly choice: CardChoice;
  readonly onChoice: (choice: CardChoice) => void;
}

export const nameOfCard = ({ brand, last4 }: Pick<SavedCardBody, 'brand' | 'last4'>): string =>
  texts.cardName(brand ?? 'card', last4 ?? '');

export const isExpired = ({ expiry_month: month }: Pick<SavedCardBody, 'expiry_month'>): boolean =>
  (month ?? '') < new Date().toISOString().slice(0, 7);

/** Without saved cards for this hotel, only whether the card is to be saved is asked. */
export function ChooseCard({ hotelId, choice, onChoice }: CardChoiceProps) {
  const query = new URLSearchParams({ seller_account: `hotel/${hotelId}`, limit: '20' });
  const [loaded] = useLoaded(hotelId, () =>
    askAs<{ readonly cards: readonly SavedCardBody[] }>('customer', `${savedCardsPath}?${query}`),
  );
  const cards = loaded.kind === 'there' ? loaded.value.cards.filter((card) => !isExpired(card)) : [];
  const another = choice.kind === 'page' ? choice : { kind: 'page' as const, isSaved: false };
  return (
    <>
      {cards.length > 0 && (
        <fieldset class="choose-card">
          <legend>{texts.payWith}</legend>
          {cards.map((card) => (
            <label key={card.card_id} class="agree">
              <input
                type="radio"
                name="card"
                checked={choice.kind === 'saved' && choice.card.card_id === card.card_id}
                onChange={() => onChoice({ kind: 'saved', card })}
              />
              <span>{texts.cardAndExpiry(nameOfCard(card), card.expiry_month ?? '')}</span>
            </label>
          ))}
          <label class="agree">
            <input
              type="radio"
              name="card"
              checked={choice.kind === 'page'}
              onChange={() => onChoice(another)}
            />
            <span>{texts.anotherCard}</span>
          </label>
        </fieldset>
      )}
      {choice.kind === 'page' && (
        <label class="agree">
          <input
            type="checkbox"
            checked={choice.isSaved}
            onChange={({ currentTarget: { checked } }) => onChoice({ kind: 'page', isSaved: checked })}
          />
          <span>
            {texts.saveCard}
            <span class="muted">{texts.saveCardHint}</span>
          </span>
        </label>
      )}
    </>
  );
}
