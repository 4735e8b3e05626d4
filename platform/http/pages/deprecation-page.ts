import { type RouteContract, sunsetDaysMin } from '#schemas/http/route-contract.js';
import { escapeHtml, htmlDocument } from '../html.js';

/**
 * What the answers of deprecated operations link to: the policy, and the deprecated ones of these operations.
 * Links are relative, so that a proxy may serve the page below a prefix.
 */
export function deprecationHtml(contracts: readonly RouteContract[]): string {
  const items = contracts.flatMap((contract) => {
    const { deprecated } = contract;
    if (deprecated === undefined) return [];
    const { since, sunset, successor } = deprecated;
    return [
      `<li>${named(contract)}: announced ${escapeHtml(since)}, may be removed from ${escapeHtml(sunset)} ` +
        `on. Use ${named(successor)}.</li>`,
    ];
  });
  const list = items.length === 0 ? '<p>None.</p>' : `<ul>${items.join('')}</ul>`;
  return htmlDocument(
    'Deprecated operations',
    '<link rel="icon" href="data:,">\n<link rel="stylesheet" href="pages.css">',
    `<main><h1>Deprecated operations</h1>
${list}
<h2>Policy</h2>
<p>An operation answers as it is described for at least ${sunsetDaysMin} days after its deprecation was
announced. Until then its answers have the header fields <code>Deprecation</code>, <code>Sunset</code> and
<code>Link</code> with the successor.</p>
<p>Fields and words are added without notice. Clients ignore fields and words that they do not know.</p>
<p><a href="../docs">All operations</a></p></main>`,
  );
}

const named = ({ method, path }: RouteContract): string => `<code>${method} ${escapeHtml(path)}</code>`;
