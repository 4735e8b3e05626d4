/**
 * Text of instructions in which every tag except a bare `<b>` and `</b>` is escaped. The guide escapes names
 * itself; this second check turns a mistake there into a cosmetic fault instead of an injection.
 */
export const onlyBold = (html: string): string => html.replace(/<(?!\/?b>)/g, '&lt;');
