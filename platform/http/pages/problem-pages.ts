import { escapeHtml, htmlDocument } from '../html.js';
import type { HttpAnswer, Page } from '../http-types.js';
import { type ProblemKind, problems } from '../problem.js';
import { contentSecurityPolicy } from '../security-headers.js';

/** The pages that the `type` of a problem links to: the server's own kinds and those of the packages. */
export function problemPages(kinds: readonly ProblemKind[] = []): Page[] {
  const known = new Map<string, ProblemKind>();
  for (const kind of [...Object.values<ProblemKind>(problems), ...kinds]) known.set(kind.code, kind);
  const list = [...known.values()].toSorted((left, right) => left.status - right.status);
  const links = list.map(
    ({ code, status, title }) =>
      `<li><a href="problems/${code}">${status} ${code}</a>: ${escapeHtml(title)}</li>`,
  );
  return [
    {
      path: '/problems',
      handle: () => page('Problems', '', `<h1>Problems</h1><ul class="problems">${links.join('')}</ul>`),
    },
    ...list.map((kind) => ({
      path: `/problems/${kind.code}`,
      handle: () =>
        page(
          kind.title,
          '../',
          `<h1>${escapeHtml(kind.title)}</h1>
<p><code>${kind.code}</code>, HTTP status ${kind.status}</p>
<p>${escapeHtml(kind.advice)}</p>
<p><a href="../problems">All problems</a></p>`,
        ),
    })),
  ];
}

/** @param root leads from the page to the root of the server, which a proxy may serve below a prefix. */
function page(title: string, root: string, body: string): HttpAnswer {
  const head = `<link rel="icon" href="data:,">\n<link rel="stylesheet" href="${root}docs/pages.css">`;
  return {
    status: 200,
    headers: {
      'content-security-policy': contentSecurityPolicy(),
      'cache-control': 'public, max-age=3600',
    },
    body: htmlDocument(title, head, `<main>${body}</main>`),
    contentType: 'text/html; charset=utf-8',
  };
}
