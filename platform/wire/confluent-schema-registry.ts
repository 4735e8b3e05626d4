import { SchemaRegistry as ConfluentClient, SchemaType } from '@kafkajs/confluent-schema-registry';
import { wireLimits } from './limits.js';
import { type SchemaRegistry, SchemaRegistryError } from './schema-registry.js';

/**
 * A Confluent-compatible server. Its client registers and looks up schemas; encoding is ours, because the
 * client omits the message index of Protobuf values.
 */
export class ConfluentSchemaRegistry implements SchemaRegistry {
  readonly #url: string;
  readonly #client: ConfluentClient;
  readonly #headers: Readonly<Record<string, string>>;

  /**
   * `url`: such as `http://127.0.0.1:8081/apis/ccompat/v7`, with `user:password@` before the host for HTTP
   * Basic. Nothing is contacted before the first call.
   */
  constructor(url: string) {
    const login = loginOf(url);
    this.#url = url.replace(/\/$/, '').replace(/\/\/[^/@]*@/, '//');
    this.#headers = {
      accept: 'application/vnd.schemaregistry.v1+json, application/json',
      ...(login && {
        authorization: `Basic ${Buffer.from(`${login.username}:${login.password}`).toString('base64')}`,
      }),
    };
    this.#client = new ConfluentClient({
      host: this.#url,
      clientId: 'meridian',
      ...(login && { auth: login }),
      retry: { maxRetryTimeInSecs: 1, initialRetryTimeInSecs: 0.1, retries: 2 },
    });
  }

  async register(subject: string, protoText: string): Promise<number> {
    return this.#ask(`register ${subject}`, async () => {
      // The client requires the subject's rule as an argument, so we pass the existing one.
      const compatibility = (await this.#compatibilityOf(subject)) ?? 'BACKWARD_TRANSITIVE';
      const { id } = await this.#client.register(
        { type: SchemaType.PROTOBUF, schema: protoText },
        { subject, compatibility: compatibility as never },
      );
      return id;
    });
  }

  async schema(id: number): Promise<string | undefined> {
    return this.#ask(`return the schema ${id}`, async () => {
      const found = await this.#get<{ schema: string }>(`/schemas/ids/${id}`);
      return found?.schema;
    });
  }

  async ids(subject: string): Promise<readonly number[]> {
    return this.#ask(`list ${subject}`, async () => {
      const versions = (await this.#get<number[]>(`/subjects/${encodeURIComponent(subject)}/versions`)) ?? [];
      const newest = versions.slice(-wireLimits.schemasPerSubjectMax);
      return Promise.all(newest.map((version) => this.#client.getRegistryId(subject, version)));
    });
  }

  async check(): Promise<void> {
    await this.#ask('answer', () => this.#get('/subjects'));
  }

  async close(): Promise<void> {}

  async #compatibilityOf(subject: string): Promise<string | undefined> {
    const config = await this.#get<{ compatibilityLevel?: string }>(`/config/${encodeURIComponent(subject)}`);
    return config?.compatibilityLevel;
  }

  /** Undefined for 404. */
  async #get<Answer>(path: string): Promise<Answer | undefined> {
    const response = await fetch(`${this.#url}${path}`, {
      headers: this.#headers,
      // It could lead to a server without TLS.
      redirect: 'error',
      signal: AbortSignal.timeout(wireLimits.registryTimeoutMs),
    });
    if (response.status === 404) return undefined;
    if (!response.ok) throw Object.assign(new Error(await response.text()), { status: response.status });
    return (await response.json()) as Answer;
  }

  async #ask<Answer>(what: string, call: () => Promise<Answer>): Promise<Answer> {
    try {
      return await call();
    } catch (cause) {
      const { status, message } = cause as { readonly status?: number; readonly message: string };
      const refused = status !== undefined && status >= 400 && status < 500;
      const reason = refused ? `refused to ${what}` : `could not ${what}; is the server up`;
      throw new SchemaRegistryError(`The schema registry at ${this.#url} ${reason}: ${message}`, {
        cause,
        retriable: !refused,
      });
    }
  }
}

function loginOf(url: string): { readonly username: string; readonly password: string } | undefined {
  const { username, password } = new URL(url);
  if (username === '') return undefined;
  return { username: decodeURIComponent(username), password: decodeURIComponent(password) };
}
