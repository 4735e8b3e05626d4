/** An element; `content` is text or elements. */
export interface Xml {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly content: string | readonly Xml[];
}

export const element = (
  name: string,
  attributes: Readonly<Record<string, string>>,
  content: readonly Xml[],
): Xml => ({ name, attributes, content });

export const text = (
  name: string,
  value: string | number,
  attributes: Readonly<Record<string, string>> = {},
): Xml => ({ name, attributes, content: String(value) });

/** A document in UTF-8 with one root. */
export const writeXml = (root: Xml): string => `<?xml version="1.0" encoding="UTF-8"?>\n${written(root)}\n`;

function written({ name, attributes, content }: Xml): string {
  const start = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(value)}"`);
  const inner = typeof content === 'string' ? escaped(content) : content.map(written).join('');
  return `<${name}${start.join('')}>${inner}</${name}>`;
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Characters that XML 1.0 cannot hold are left out. */
const escaped = (value: string): string =>
  value
    .replaceAll(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '')
    .replaceAll(/[&<>"]/g, (character) => entities[character]!);
