import { headerBytesMax, headersMax } from '../limits.js';

export type Framing =
  | { readonly verdict: 'ok'; readonly body: 'none' | 'chunked' | number }
  /**
   * The message could be read in two ways, or by a proxy in another way: the connection is cut without an
   * answer.
   */
  | { readonly verdict: 'cut' }
  /** None, or more than one: which server was meant is open (RFC 9112, 3.2). */
  | { readonly verdict: 'no-host' }
  | { readonly verdict: 'too-large' };

const chunked: Framing = { verdict: 'ok', body: 'chunked' };
const noBody: Framing = { verdict: 'ok', body: 'none' };
const cut: Framing = { verdict: 'cut' };
const noHost: Framing = { verdict: 'no-host' };
const tooLarge: Framing = { verdict: 'too-large' };

/** Header fields of one request in a flat list, with the counts that the framing guard needs. */
export class RequestHeaders {
  readonly #fields: string[] = [];
  #bytes = 0;
  #hosts = 0;
  #authorizations = 0;
  #contentLengths = 0;
  #transferEncodings = 0;

  add(name: string, value: string): void {
    this.#bytes += name.length + value.length;
    if (this.#fields.length < headersMax * 2) this.#fields.push(name, value);
    else this.#bytes = Number.POSITIVE_INFINITY;
    switch (name) {
      case 'host':
        this.#hosts += 1;
        break;
      case 'authorization':
        this.#authorizations += 1;
        break;
      case 'content-length':
        this.#contentLengths += 1;
        break;
      case 'transfer-encoding':
        this.#transferEncodings += 1;
        break;
      default:
    }
  }

  get(name: string): string | undefined {
    const fields = this.#fields;
    for (let at = 0; at < fields.length; at += 2) {
      if (fields[at] === name) return fields[at + 1];
    }
    return undefined;
  }

  /** Of every field of this name, in their order. */
  all(name: string): readonly string[] {
    return this.#fields.filter((_, at) => at % 2 === 1 && this.#fields[at - 1] === name);
  }

  names(): readonly string[] {
    return this.#fields.filter((_, at) => at % 2 === 0);
  }

  /**
   * The native parser accepts two lengths and treats any transfer encoding as chunked. A proxy that reads the
   * same bytes differently would let a second request pass inside the first (request smuggling).
   */
  judge(): Framing {
    if (
      this.#authorizations > 1 ||
      this.#contentLengths + this.#transferEncodings > 1 ||
      (this.#transferEncodings === 1 && this.get('transfer-encoding') !== 'chunked')
    ) {
      return cut;
    }
    if (this.#bytes > headerBytesMax) return tooLarge;
    if (this.#hosts !== 1) return noHost;
    if (this.#transferEncodings === 1) return chunked;
    if (this.#contentLengths === 0) return noBody;
    const length = this.get('content-length') ?? '';
    if (!/^\d{1,15}$/.test(length)) return cut;
    return length === '0' ? noBody : { verdict: 'ok', body: Number(length) };
  }
}
