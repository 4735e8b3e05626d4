import { type Route, route } from '#platform/http/http-types.js';
import { problem, problems } from '#platform/http/problem.js';
import { getNav } from '#schemas/http/nav.js';
import { poolFailure } from '../pool-failure.js';
import { navAnswer } from './nav-answer.js';
import { type NavQueryRules, parseNavQuery } from './nav-query.js';
import type { Plan, Planner } from './planner.js';

export interface NavRouteDeps {
  readonly planner: Planner;
  readonly rules: NavQueryRules;
  readonly nowMs: () => number;
}

/** Routes from place to place under current traffic. */
export const navRoute = ({ planner, rules, nowMs }: NavRouteDeps): Route =>
  route(getNav, async (asked) => {
    const outcome = parseNavQuery(asked.query, rules);
    if (!outcome.ok) return problem(problems.invalid, undefined, { errors: outcome.errors });
    const { request, units } = outcome.query;
    const startedMs = performance.now();
    let plan: Plan;
    try {
      plan = await planner.plan(request, { signal: asked.signal });
    } catch (error) {
      const detail = poolFailure(error);
      if (detail === undefined && !asked.signal.aborted) throw error;
      return problem(problems.overloaded, detail, { retryAfterS: 1 });
    }
    const { mode, language } = request;
    return {
      status: 200,
      headers: { 'cache-control': 'no-store' },
      timings: { search: performance.now() - startedMs },
      body: navAnswer(plan, { mode, units, language, nowMs: nowMs() }),
    };
  });
