/** A number of a house with what stands behind it: `12`, `12a`, `12/3`. */
export interface HouseNumber {
  readonly number: number;
  /** Folded letters and digits behind the number; may be empty. */
  readonly suffix: string;
}

const form = /^(\d{1,5})(?:[\s\-/]?([a-z]{1,2})|[\s\-/](\d{1,3}))?$/;

/** Undefined where the text is no number that can be ordered, such as the name of a house. */
export function parseHouseNumber(text: string): HouseNumber | undefined {
  const found = form.exec(text.trim().toLowerCase());
  return found === null ? undefined : { number: Number(found[1]), suffix: found[2] ?? found[3] ?? '' };
}

/**
 * `12-18;22` is several houses in one place. A range stands for its two ends, which is what is written on the
 * door.
 */
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
