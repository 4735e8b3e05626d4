import { readFile } from 'node:fs/promises';
import { request } from 'node:https';
import { join } from 'node:path';

export interface PageAnswer {
  readonly status: number;
  /** Where the page sends the browser; '' if it stays. */
  readonly location: string;
  readonly text: string;
}

/**
 * What the buyer's browser does on a page of the provider or of a bank: opens it, or submits its form.
 *
 * @param certificate of the simulated provider, which signs its own.
 */
export const browsePage = (
  url: string,
  certificate: string,
  form?: Readonly<Record<string, string>>,
): Promise<PageAnswer> =>
  new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      {
        method: form === undefined ? 'GET' : 'POST',
        ca: certificate,
        headers: form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' },
      },
      (incoming) => {
        let text = '';
        incoming.on('data', (chunk: Buffer) => (text += chunk.toString()));
        incoming.on('end', () =>
          resolve({ status: incoming.statusCode ?? 0, location: incoming.headers.location ?? '', text }),
        );
      },
    );
    outgoing.on('error', reject);
    outgoing.end(form === undefined ? undefined : new URLSearchParams(form).toString());
  });

/** Of the provider that `meridian up` simulates. */
export async function certificateIn(data: string): Promise<string> {
  const text = await readFile(join(data, 'psp', 'certificate.json'), 'utf8');
  return (JSON.parse(text) as { readonly certificate: string }).certificate;
}
