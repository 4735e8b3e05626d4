// Pieces of the generated pages in `docs/`.

/** Within a cell of a Markdown table. */
export const cell = (text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ').replaceAll('<', '&lt;');
export const link = (file) => `[${file.replace(/^tests\//, '')}](../${file})`;
export const sentence = (text) => (/[.!?]$/.test(text) ? text : `${text}.`);

/** What a mutant changes, by the first line of it. */
export const mutantText = ({ change, in: file }) =>
  `\`${change.trim().split('\n')[0]}\` is changed in ${file}`;
