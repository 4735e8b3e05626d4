import { offeredLanguage } from '../http/offered-language.js';
import type { ThroughQuestion } from '../ports/routing-questions.js';
import { type AnnotationKind, annotationKinds, type GeometryKind, type lineOptions } from './line-options.js';
import { messages } from './messages.js';
import type { OptionsOf } from './option.js';
import type { SpeechStyle } from './spoken-distance.js';

type LineOptions = OptionsOf<typeof lineOptions>;

/** The requested parts of a route in the answer. */
export interface LineStyle {
  readonly overview: 'simplified' | 'full' | 'by_legs' | 'false';
  readonly geometries: GeometryKind;
  readonly annotations: ReadonlySet<AnnotationKind>;
  /** Whether node ids were requested by name; with all annotations a map may lack them. */
  readonly needsNodes: boolean;
  /** One of the languages that guidance is offered in. */
  readonly language: string;
  /** For instructions that are read out; absent if they are not requested. */
  readonly voice?: SpeechStyle;
  readonly banner: boolean;
  /** Whether numbers of roads have their signed directions. */
  readonly directions: boolean;
}

/** A sentence about a value that no route can have. */
export function wrongLineValue(
  { language, ...options }: LineOptions,
  languages: readonly string[],
): string | undefined {
  const needsSteps = options.voice_instructions === true || options.banner_instructions === true;
  if (needsSteps && options.steps !== true) return messages.instructionsOfSteps;
  if (language !== undefined && offeredLanguage(language, languages) === undefined)
    return messages.languages(languages);
  return undefined;
}

export function lineStyle(
  { annotations = new Set(), ...options }: LineOptions,
  languages: readonly string[],
): LineStyle {
  const language = offeredLanguage(options.language ?? 'en', languages) ?? 'en';
  return {
    language,
    overview: options.overview ?? 'simplified',
    geometries: options.geometries ?? 'polyline',
    annotations: annotations === 'all' ? new Set(annotationKinds) : annotations,
    needsNodes: annotations !== 'all' && annotations.has('nodes'),
    banner: options.banner_instructions === true,
    directions: options.cardinal_directions === true,
    ...(options.voice_instructions === true
      ? { voice: { language, units: options.voice_units ?? 'metric' } }
      : {}),
  };
}

/** The details of its routes that a query needs. */
export function lineDetails(
  { steps }: LineOptions,
  { annotations, overview, language }: LineStyle,
): Pick<ThroughQuestion, 'annotate' | 'withNodes' | 'simplify' | 'language'> {
  return {
    ...(steps === true ? { language } : {}),
    annotate: annotations.size > 0,
    ...(annotations.has('nodes') ? { withNodes: true } : {}),
    simplify: overview === 'simplified',
  };
}
