/** What another geocoder's server says of an option that it cannot read. */
export interface OptionMessages {
  readonly missing: (name: string) => string;
  readonly notNumber: (name: string) => string;
  readonly outOfRange: (name: string, least: number, most: number) => string;
  readonly unknown: (name: string, known: readonly string[]) => string;
}

type Query = Readonly<Record<string, string | readonly string[] | undefined>>;

interface NumberBounds {
  readonly least: number;
  readonly most: number;
  /** A number outside is moved to the nearer bound. */
  readonly clamp?: true;
  readonly integer?: true;
}

const decimal = /^[+-]?(?:\d{1,12}(?:\.\d{0,20})?|\.\d{1,20})(?:[eE][+-]?\d{1,2})?$/;

/**
 * Reads the options of a query one by one. A wrong option counts as its default, and the first one is the
 * `refusal`; whoever reads asks for it before using a value.
 */
export class QueryOptions {
  readonly #query: Query;
  readonly #messages: OptionMessages;
  refusal: string | undefined;

  constructor(query: Query, known: readonly string[], messages: OptionMessages) {
    this.#query = query;
    this.#messages = messages;
    const other = Object.keys(query).find((name) => !known.includes(name));
    if (other !== undefined) this.refuse(messages.unknown(other.slice(0, 40), known));
  }

  /** The first refusal counts. */
  refuse(message: string): undefined {
    this.refusal ??= message;
    return undefined;
  }

  /** Undefined if absent or empty. */
  text(name: string): string | undefined {
    const value = this.#query[name];
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
  }

  list(name: string): readonly string[] {
    const value = this.#query[name];
    return typeof value === 'object' ? value : [];
  }

  number(name: string, bounds: NumberBounds): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const { least, most, clamp, integer } = bounds;
    const value = decimal.test(text) ? Number(text) : Number.NaN;
    if (Number.isNaN(value) || (integer && !Number.isInteger(value)))
      return this.refuse(this.#messages.notNumber(name));
    if (clamp) return Math.min(most, Math.max(least, value));
    if (value < least || value > most) return this.refuse(this.#messages.outOfRange(name, least, most));
    return value;
  }

  /** A refusal if it is absent, and then 0. */
  neededNumber(name: string, bounds: NumberBounds): number {
    if (this.text(name) === undefined) this.refuse(this.#messages.missing(name));
    return this.number(name, bounds) ?? 0;
  }
}
