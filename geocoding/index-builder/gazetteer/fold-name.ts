import { wordsOf } from '../../index/fold-text.js';

/** Folded words of a name, separated by blanks: equal words mean the same street. */
export type FoldName = (text: string) => string;

/** Folds each name once: most streets consist of several ways, and houses repeat the name. */
export function nameFolder(): FoldName {
  const folded = new Map<string, string>();
  return (text) => {
    let name = folded.get(text);
    if (name === undefined) {
      name = wordsOf(text).join(' ');
      folded.set(text, name);
    }
    return name;
  };
}
