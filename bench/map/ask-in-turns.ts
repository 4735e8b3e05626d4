import { Agent, get } from 'node:http';
import type { HttpEngine } from './http-engines.js';

export interface TimedAnswer {
  readonly waitedMs: number;
  /** Length of the route; null without one. */
  readonly metres: number | null;
}

type Pair = readonly [readonly [number, number], readonly [number, number]];

/**
 * Requests each pair as soon as one of the connections is free; the answer is read completely and parsed
 * outside the timing.
 */
export async function askInTurns(
  engine: HttpEngine,
  pairs: readonly Pair[],
  connections: number,
): Promise<TimedAnswer[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const answers: TimedAnswer[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let at = next++; at < pairs.length; at = next++) {
      const [from, to] = pairs[at]!;
      const started = performance.now();
      const text = await fetchText(engine.url(from, to), agent);
      const waitedMs = performance.now() - started;
      answers[at] = { waitedMs, metres: engine.metresOf(text) };
    }
  };
  await Promise.all(Array.from({ length: connections }, worker));
  agent.destroy();
  return answers;
}

const fetchText = (url: string, agent: Agent): Promise<string> =>
  new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve(text));
      response.on('error', reject);
    }).on('error', reject);
  });
