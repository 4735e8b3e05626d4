import { holdsCardNumber } from '#platform/card-data/card-number.js';
import { beginsWithCardNumber, cardLengthMin } from '#platform/card-data/issuer-ranges.js';

/** One number, with text before and behind it, as in `ch_000123`. */
const numbered = /^(\D*)(\d{13,19})(\D*)$/;
/** Ids of as many forms are counted; more forms are no numbering. */
const formsMax = 1_000;
/** So many ids of one form that are no card numbers show that the form is a numbering. */
const numberedMin = 3;
/** The most that an amount has; hardly any money has as many minor units. */
const amountDigitsMax = 15;

/** An id of the file that may be a card number. */
interface Suspect {
  readonly line: number;
  readonly column: string;
  readonly form: Form;
}

interface Form {
  cards: number;
  others: number;
}

/**
 * Finds the card numbers in the columns of a settlement file. Where a provider numbers its operations, one of
 * ten numbers passes the Luhn check, and four of a hundred have the first digits of a card as well. In a
 * column of card numbers all do. So an id of a form in which most ids are no card numbers is none.
 */
export class CardNumbers {
  readonly #forms = new Map<string, Form>();
  #suspects: Suspect[] = [];

  /** Whether the value is a card number for certain; if it may be one, `first` decides. */
  isIn(line: number, column: string, value: string): boolean {
    if (!mayHold(value)) return false;
    const isCard = holdsCardNumber(value);
    const [, before, digits = '', behind] = numbered.exec(value) ?? [];
    if (digits === '') return isCard;
    const form = this.#formOf(`${column} ${before} ${digits.length} ${behind}`);
    if (form === undefined) return isCard;
    if (!isCard) form.others += 1;
    else {
      form.cards += 1;
      this.#suspects.push({ line, column, form });
    }
    return false;
  }

  /** Among those since the last call; more lines before it make the decision surer. */
  first(): Pick<Suspect, 'line' | 'column'> | undefined {
    const suspects = this.#suspects;
    this.#suspects = [];
    return suspects.find(({ form: { cards, others } }) => others < Math.max(numberedMin, 2 * cards));
  }

  #formOf(name: string): Form | undefined {
    const known = this.#forms.get(name);
    if (known !== undefined || this.#forms.size >= formsMax) return known;
    const form = { cards: 0, others: 0 };
    this.#forms.set(name, form);
    return form;
  }
}

/** Whether minor units are a card number of American Express. Shorter numbers cannot be told from money. */
export const isAmountOfCard = (minor: number): boolean =>
  minor >= 10 ** (amountDigitsMax - 1) && beginsWithCardNumber(String(minor));

/**
 * Whether there are so many characters in a row that are no letters. Files have millions of lines, and nearly
 * no id has them.
 */
function mayHold(text: string): boolean {
  let row = 0;
  for (let at = 0; at < text.length; at += 1) {
    const lower = text.charCodeAt(at) | 32;
    if (lower >= 97 && lower <= 122) row = 0;
    else if (++row === cardLengthMin) return true;
  }
  return false;
}
