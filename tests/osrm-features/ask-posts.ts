import type { AskedRow } from './judged-row.js';
import type { Step } from './read-scenarios.js';
import type { ScenarioMap } from './scenario-map.js';
import type { ServedMaps } from './served-maps.js';

const posted = /^I POST to \/(.*)\/([^/]+) with body$/;
const expected = /^status code should be (\w+)$/;

interface Posted {
  /** Service and version. */
  readonly path: string;
  readonly body: string;
  readonly code: string;
}

/** Questions in a JSON body whose code is stated in the next step. */
export const postsOf = (steps: readonly Step[]): Posted[] =>
  steps.flatMap(({ text, lines = [] }, at) => {
    const path = posted.exec(text)?.[1];
    const code = expected.exec(steps[at + 1]?.text ?? '')?.[1];
    return path === undefined || code === undefined ? [] : [{ path, body: lines.join('\n'), code }];
  });

/** A row for each of them. */
export async function askPosts(
  map: ScenarioMap,
  posts: readonly Posted[],
  maps: ServedMaps,
): Promise<AskedRow[]> {
  const rows: AskedRow[] = [];
  for (const { path, body, code } of posts) {
    const request = `${path}/${map.servedProfile}`;
    const { status, json } = await maps.ask(request, body);
    const got = json?.code ?? '';
    const cells = [{ column: 'code', want: code, got, isSame: got === code }];
    rows.push({ kind: 'post', map, row: { body }, request, status, answer: json, cells });
  }
  return rows;
}
