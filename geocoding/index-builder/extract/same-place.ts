import type { Place } from '../gazetteer/gazetteer.js';
import { areSame } from '../gazetteer/memo.js';

export const haveSameNames = ({ names: a }: Place, { names: b }: Place): boolean =>
  a === b ||
  (a.length === b.length &&
    a.every(({ language, text }, index) => language === b[index]!.language && text === b[index]!.text));

/** Whether two places are equal. For towns and areas, whose category determines the kind. */
export const isSamePlace = (a: Place, b: Place): boolean =>
  a.key === b.key &&
  a.category === b.category &&
  a.importance === b.importance &&
  a.lngE7 === b.lngE7 &&
  a.latE7 === b.latE7 &&
  a.postcode === b.postcode &&
  a.isoCode === b.isoCode &&
  areSame(a.box, b.box) &&
  haveSameNames(a, b);
