import type { HttpAnswer } from '#platform/http/http-types.js';
import { problem, problems } from '#platform/http/problem.js';

/** Nobody but who asked may keep the answer. */
export const privateHeaders = { 'cache-control': 'private, no-store' } as const;

/** A foreign id and an unknown one get the same answer. */
export const noSuchUser = (): HttpAnswer => problem(problems.notFound, 'No user with this id.');
