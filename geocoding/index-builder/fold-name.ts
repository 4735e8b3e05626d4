import { wordsOf } from '../index/fold-text.js';

/** Folded words of a name with a blank between them: the same words make the same street. */
export type FoldName = (text: string) => string;

/** Folds each name once: most streets consist of several ways, and houses name them again. */
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
