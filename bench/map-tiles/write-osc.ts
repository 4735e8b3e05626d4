import type { OsmChange } from '#osm/change/osm-change.js';
import type { Tags } from '#schemas/osm-sink.js';

/** Writes a change as an OsmChange file; `isKnown` distinguishes created from modified elements. */
export function writeOsc(
  { nodes, ways, relations }: OsmChange,
  isKnown: (kind: keyof OsmChange, id: number) => boolean = () => true,
): string {
  const lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<osmChange version="0.6">'];
  const act = (kind: keyof OsmChange, id: number, isGone: boolean, element: string): void => {
    const action = isGone ? 'delete' : isKnown(kind, id) ? 'modify' : 'create';
    lines.push(`<${action}>${element}</${action}>`);
  };
  for (const [id, node] of nodes) {
    const place = node === null ? '' : ` lon="${degrees(node.lngE7)}" lat="${degrees(node.latE7)}"`;
    act('nodes', id, node === null, `<node id="${id}"${place}>${tagsOf(node?.tags)}</node>`);
  }
  for (const [id, way] of ways) {
    const refs = (way?.refs ?? []).map((ref) => `<nd ref="${ref}"/>`).join('');
    act('ways', id, way === null, `<way id="${id}">${refs}${tagsOf(way?.tags)}</way>`);
  }
  for (const [id, relation] of relations) {
    const members = (relation?.members ?? [])
      .map(({ type, id: ref, role }) => `<member type="${type}" ref="${ref}" role="${escaped(role)}"/>`)
      .join('');
    act(
      'relations',
      id,
      relation === null,
      `<relation id="${id}">${members}${tagsOf(relation?.tags)}</relation>`,
    );
  }
  return `${lines.join('\n')}\n</osmChange>\n`;
}

function degrees(e7: number): string {
  const digits = String(Math.abs(e7)).padStart(8, '0');
  return `${e7 < 0 ? '-' : ''}${digits.slice(0, -7)}.${digits.slice(-7)}`;
}

const tagsOf = (tags: Tags | undefined): string =>
  [...(tags ?? [])].map(([key, value]) => `<tag k="${escaped(key)}" v="${escaped(value)}"/>`).join('');

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '"': '&quot;', '\n': '&#10;' };
const escaped = (text: string): string => text.replace(/[&<"\n]/g, (sign) => escapes[sign]!);
