import * as style from '#map-tiles/png/png-style.js';

/**
 * Our map style of one zoom as Mapnik's XML, so that both draw the same features in the same colours and
 * widths.
 */
export function mapnikStyle(zoom: number): string {
  const styles: string[] = [];
  const layers: string[] = [];
  const add = (layer: string, rules: string): void => {
    const name = `s${styles.length}`;
    styles.push(`<Style name="${name}">${rules}</Style>`);
    layers.push(`<Layer name="${layer}" srs="epsg:3857"><StyleName>${name}</StyleName></Layer>`);
  };
  const rule = (symbol: string, filter?: string): string =>
    `<Rule>${filter === undefined ? '' : `<Filter>${filter}</Filter>`}${symbol}</Rule>`;
  const polygon = (colour: string): string => `<PolygonSymbolizer fill="${colour}"/>`;
  const line = (colour: string, width: number, dash = ''): string =>
    `<LineSymbolizer stroke="${colour}" stroke-width="${width}" stroke-linejoin="round" stroke-linecap="${dash === '' ? 'round' : 'butt'}"${dash === '' ? '' : ` stroke-dasharray="${dash}"`}/>`;
  const kinds = (names: readonly string[]): string => names.map((name) => `[kind] = '${name}'`).join(' or ');
  const text = ({ size, bold, colour }: style.LabelStyle, key: string, along: boolean): string =>
    `<TextSymbolizer face-name="DejaVu Sans Condensed${bold ? ' Bold' : ''}" size="${size * 0.75}" fill="${colour}" halo-radius="1.2" halo-fill="rgba(255,255,255,0.85)" placement="${along ? 'line' : 'point'}" avoid-edges="true"${along ? ' minimum-distance="120"' : ''}>[${key}]</TextSymbolizer>`;

  const byColour = new Map<string, string[]>();
  for (const [kind, colour] of style.groundColours)
    byColour.set(colour, [...(byColour.get(colour) ?? []), kind]);
  const ground = [...byColour].map(([colour, names]) => rule(polygon(colour), kinds(names))).join('');
  for (const layer of ['land', 'sites']) add(layer, ground);
  for (const layer of ['ocean', 'water_polygons']) add(layer, rule(polygon(style.water)));
  add('street_polygons', rule(polygon(style.square)));
  add('buildings', rule(polygon(style.building)));
  add(
    'water_lines',
    rule(line(style.water, 2.2), `[kind] = 'river'`) + rule(line(style.water, 1), `[kind] != 'river'`),
  );
  const roads = style.roadStyles.map((road) => ({ ...road, width: style.widthAt(road.widths, zoom) }));
  for (const { kinds: names, casing, width } of roads)
    if (casing !== undefined && width > 1.2) add('streets', rule(line(casing, width + 1.2), kinds(names)));
  add('streets', rule(line(style.rail, zoom < 13 ? 0.7 : 1.2), '[rail] = true'));
  for (const { kinds: names, colour, width } of roads)
    add('streets', rule(line(colour, width), kinds(names)));
  add('ferries', rule(line(style.ferry, 1, '4,3')));
  add(
    'boundaries',
    rule(line(style.border, 1.2), '[admin_level] &lt;= 2') +
      rule(line(style.border, 0.7, '4,3'), '[admin_level] &gt; 2'),
  );
  const places = [...style.placeLabels].map(([kind, label]) =>
    rule(text(label, 'name', false), kinds([kind])),
  );
  add('place_labels', places.join(''));
  if (zoom >= 13) add('streets', rule(text(style.streetLabel, 'name', true), '[name] != null'));
  if (zoom >= 14) add('public_transport', rule(text(style.stopLabel, 'name', false), '[name] != null'));
  if (zoom >= 16) add('pois', rule(text(style.poiLabel, 'name', false), '[name] != null'));
  add('addresses', rule(text(style.numberLabel, 'housenumber', false)));
  return `<Map srs="epsg:3857" background-color="${style.ground}">${styles.join('')}${layers.join('')}</Map>`;
}
