import { type HttpAnswer, type Route, route } from '#platform/http/http-types.js';
import { problem, problems } from '#platform/http/problem.js';
import type { GuidedOutcome } from '#routing-engine/tasks/guided-task.js';
import { type NavStepsAnswer, postNavSteps } from '#schemas/http/nav-steps.js';
import { plannedSteps } from '../engine/planned-route.js';
import { offeredLanguage } from '../http/offered-language.js';
import type { Releases } from '../release/served-release.js';
import * as messages from './messages.js';
import { navSteps, type StepStyle } from './nav-answer.js';
import { planFailure } from './plan-failure.js';
import { distanceQuantity, durationQuantity } from './quantity-text.js';

/** Describes a route for a driver who knows only its roads, such as one of the navigation stream. */
export const stepsRoute = (releases: Releases, languages: readonly string[]): Route =>
  route(postNavSteps, async ({ body, signal }) => {
    const { edge_ids: edgeIds, from, to, units = 'metric' } = body;
    const language = offeredLanguage(body.language ?? 'en', languages);
    if (language === undefined) return refusal('/language', messages.languages(languages));
    const startedMs = performance.now();
    try {
      return await releases.use(async ({ roads, routing }) => {
        const edges = edgeIds.map((id) => roads.edgeOf(id));
        const unknown = edges.indexOf(undefined);
        if (unknown >= 0) return refusal(`/edge_ids/${unknown}`, messages.noSuchEdge);
        const question = { mode: 'driving', edges: edges as number[], from, to, language } as const;
        const found = await routing!.guided(question, { signal });
        if (found.status === 'broken') return refusal(`/edge_ids/${found.at}`, messages.brokenRoute);
        return {
          status: 200,
          headers: { 'cache-control': 'no-store' },
          timings: { search: performance.now() - startedMs },
          body: answerOf(found, roads.tilesetId, { mode: 'driving', units, language }),
        };
      });
    } catch (error) {
      return planFailure(error, signal);
    }
  });

const refusal = (pointer: string, message: string): HttpAnswer =>
  problem(problems.invalid, undefined, { errors: [{ pointer, message }] });

function answerOf(
  { route: found, metricVersion, drivingSide }: Extract<GuidedOutcome, { readonly status: 'ok' }>,
  tilesetId: string,
  style: StepStyle,
): NavStepsAnswer {
  const { units, language } = style;
  return {
    tileset_id: tilesetId,
    metric_version: metricVersion,
    distance: distanceQuantity(found.path.lengthM, units, language),
    duration: durationQuantity(found.path.durationMs / 1_000, language),
    steps: navSteps(plannedSteps(found.steps, drivingSide), style),
  };
}
