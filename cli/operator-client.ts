import { setTimeout as sleep } from 'node:timers/promises';
import { CommandFailed, nothingAnswers } from './exit.js';

export interface OperatorClientOptions {
  /** A listener of the platform, without a slash at the end. */
  readonly url: string;
  /** A bearer token for operators that is valid now. */
  readonly token: () => Promise<string>;
  readonly signal?: AbortSignal;
  /** Exit codes of refusals by their status; default: failed. */
  readonly codes?: Readonly<Record<number, number>>;
}

const timeoutMs = 30_000;
/** Attempts of one request that the platform asks to repeat. */
const attemptsMax = 8;
const retryAfterSMax = 60;

/** What a program asks of a running platform for an operator. Errors are sentences with an exit code. */
export class OperatorClient {
  readonly #options: OperatorClientOptions;

  constructor(options: OperatorClientOptions) {
    this.#options = options;
  }

  async json(method: string, path: string, body?: object): Promise<unknown> {
    const answer = await this.ask(method, path, body);
    if (!answer.ok) throw await this.refused(method, path, answer);
    try {
      return await answer.json();
    } catch {
      throw new CommandFailed(`${this.#options.url}${path} answered with something other than JSON.`);
    }
  }

  /**
   * Waits as long as the platform asks for. A POST is repeated only if nothing was done: a second one could
   * have a second effect.
   */
  async ask(method: string, path: string, body?: object): Promise<Response> {
    const { url, token, signal } = this.#options;
    for (let attempt = 1; ; attempt++) {
      const timeout = AbortSignal.timeout(timeoutMs);
      let answer: Response;
      try {
        answer = await fetch(url + path, {
          method,
          redirect: 'error',
          signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
          headers: {
            authorization: `Bearer ${await token()}`,
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
      } catch (error) {
        signal?.throwIfAborted();
        if (error instanceof CommandFailed) throw error;
        if (method === 'POST' && !wasRefused(error))
          throw new CommandFailed(`${url} did not answer to POST ${path}. It may have taken effect.`);
        throw nothingAnswers(url, error);
      }
      const retryAfterS = Number(answer.headers.get('retry-after') ?? 'none');
      const repeated = method === 'POST' ? [429] : [429, 503];
      const isAsked = repeated.includes(answer.status) && retryAfterS >= 0;
      if (!isAsked || attempt === attemptsMax) return answer;
      await answer.body?.cancel();
      await sleep(1_000 * Math.min(retryAfterS, retryAfterSMax), undefined, signal && { signal });
    }
  }

  async refused(method: string, path: string, answer: Response): Promise<CommandFailed> {
    const text = await answer.text();
    const { url, codes } = this.#options;
    return new CommandFailed(
      `${method} ${url}${path} answered with ${answer.status}: ${reasonOf(text)}`,
      codes?.[answer.status],
    );
  }
}

const wasRefused = (error: unknown): boolean =>
  ((error as Error).cause as { code?: string } | undefined)?.code === 'ECONNREFUSED';

/** Title, detail and fields of a problem document; other text as it is. */
function reasonOf(text: string): string {
  try {
    const { title, detail, errors = [] } = JSON.parse(text) as Partial<ProblemText>;
    if (title === undefined) return text.slice(0, 1_000);
    const fields = errors.map(({ pointer, message }) => `${pointer} ${message}`);
    return [title, detail, ...fields].filter((part) => part !== undefined).join('; ');
  } catch {
    return text.slice(0, 1_000);
  }
}

interface ProblemText {
  readonly title: string;
  readonly detail?: string;
  readonly errors?: readonly { readonly pointer: string; readonly message: string }[];
}
