/** A house number with its suffix: `12`, `12a`, `12/3`. */
export interface HouseNumber {
  readonly number: number;
  /** Folded letters and digits behind the number; may be empty. */
  readonly suffix: string;
}

const form = /^(\d{1,5})(?:[\s\-/]?([a-z]{1,2})|[\s\-/](\d{1,3}))?$/;

/** Undefined if the text is not an orderable number, for example the name of a house. */
export function parseHouseNumber(text: string): HouseNumber | undefined {
  const found = form.exec(text.trim().toLowerCase());
  return found === null ? undefined : { number: Number(found[1]), suffix: found[2] ?? found[3] ?? '' };
}

/** `12-18;22` is several houses in one place. A range means its two ends. */
export function parseHouseNumbers(text: string): HouseNumber[] {
  const found: HouseNumber[] = [];
  for (const part of text.split(/[;,]/).slice(0, 20)) {
    const ends = /^\s*(\d{1,5}[a-z]?)\s*[-–]\s*(\d{1,5}[a-z]?)\s*$/i.exec(part);
    for (const end of ends === null ? [part] : [ends[1], ends[2]]) {
      const house = parseHouseNumber(end);
      if (house !== undefined) found.push(house);
    }
  }
  return found;
}

export const houseText = ({ number, suffix }: HouseNumber): string =>
  /^\d/.test(suffix) ? `${number}/${suffix}` : `${number}${suffix}`;
