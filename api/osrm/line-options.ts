import { type Option, type OptionTable, oneOf, readWords, toggle } from './option.js';

export const geometryKinds = ['polyline', 'polyline6', 'geojson'] as const;
export type GeometryKind = (typeof geometryKinds)[number];
export const annotationKinds = ['duration', 'nodes', 'distance', 'weight', 'datasources', 'speed'] as const;
export type AnnotationKind = (typeof annotationKinds)[number];

const annotations: Option<ReadonlySet<AnnotationKind> | 'all'> = {
  form: `true, false or a list of ${annotationKinds.join(', ')}`,
  read(text) {
    if (text === 'true') return 'all';
    if (text === 'false') return new Set();
    const kinds = readWords(text, annotationKinds);
    return kinds && new Set(kinds);
  },
};

/**
 * The options of services that answer with routes; `language`, in which instructions are written;
 * `cardinal_directions`, a property of OSRM's profiles; and those of Mapbox for instructions that clients
 * read out and show.
 */
export const lineOptions = {
  annotations,
  banner_instructions: toggle,
  cardinal_directions: toggle,
  geometries: oneOf(geometryKinds),
  language: { form: 'a language code', read: (text) => (/^[\w-]{1,35}$/.test(text) ? text : undefined) },
  overview: oneOf(['simplified', 'full', 'by_legs', 'false']),
  steps: toggle,
  voice_instructions: toggle,
  voice_units: oneOf(['metric', 'imperial']),
} as const satisfies OptionTable;
