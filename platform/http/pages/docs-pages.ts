import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import type { RouteContract } from '#schemas/http/route-contract.js';
import { htmlDocument } from '../html.js';
import type { HttpAnswer, Page } from '../http-types.js';
import { deprecationPagePath } from '../response/deprecation-lines.js';
import { contentSecurityPolicy } from '../security-headers.js';
import { deprecationHtml } from './deprecation-page.js';
import { eventsScript } from './events-script.js';
import { pageStyle } from './page-style.js';
import { staticFiles } from './static-files.js';
import { swaggerScript, swaggerStyle } from './swagger-mends.js';

/** Swagger UI sets styles and HTML from script, so only its page has no such guards. */
const swaggerPolicy = contentSecurityPolicy({ inlineStyles: true, trustedTypes: false });
const swaggerFiles = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];

/**
 * `/docs` renders `/v1/openapi.json` with Swagger UI, `/docs/events` renders `/v1/asyncapi.json`; neither
 * requests anything from another host. Links are relative, so that a proxy may serve them below a prefix.
 * Where Swagger UI is not installed `/docs` leads to the document itself. `/docs/deprecation` lists which of
 * the served operations are deprecated.
 */
export function docsPages(served: readonly RouteContract[]): Page[] {
  return [
    ...swaggerPages(),
    fixed(deprecationPagePath, 'text/html; charset=utf-8', deprecationHtml(served), contentSecurityPolicy()),
    fixed('/docs/events', 'text/html; charset=utf-8', eventsHtml, contentSecurityPolicy()),
    fixed('/docs/events.js', 'text/javascript; charset=utf-8', eventsScript),
    fixed('/docs/pages.css', 'text/css; charset=utf-8', pageStyle),
  ];
}

function swaggerPages(): Page[] {
  const folder = swaggerFolder();
  if (folder === undefined) {
    const links = '<a href="v1/openapi.json">OpenAPI 3.1 document</a>, <a href="docs/events">events</a>';
    const body = `<main><h1>API</h1><p>${links}</p></main>`;
    const html = htmlDocument('API', '<link rel="stylesheet" href="docs/pages.css">', body);
    return [fixed('/docs', 'text/html; charset=utf-8', html, contentSecurityPolicy())];
  }
  return [
    fixed('/docs', 'text/html; charset=utf-8', swaggerHtml, swaggerPolicy),
    fixed('/docs/init.js', 'text/javascript; charset=utf-8', swaggerScript),
    fixed('/docs/mends.css', 'text/css; charset=utf-8', swaggerStyle),
    ...staticFiles(folder, { at: '/docs/assets', policy: swaggerPolicy, only: swaggerFiles }),
  ];
}

function swaggerFolder(): string | undefined {
  try {
    return dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  } catch {
    return undefined;
  }
}

function fixed(path: string, contentType: string, body: string, policy?: string): Page {
  const answer: HttpAnswer = {
    status: 200,
    headers: {
      'cache-control': 'public, max-age=60',
      ...(policy === undefined ? {} : { 'content-security-policy': policy }),
    },
    body,
    contentType,
  };
  return { path, handle: () => answer };
}

const swaggerHtml = htmlDocument(
  'Meridian API',
  `<link rel="icon" href="docs/assets/favicon-32x32.png">
<link rel="stylesheet" href="docs/assets/swagger-ui.css">
<link rel="stylesheet" href="docs/mends.css">
<script src="docs/assets/swagger-ui-bundle.js" defer></script>
<script src="docs/init.js" defer></script>`,
  '<div id="api"></div>',
);

const eventsHtml = htmlDocument(
  'Meridian events',
  `<link rel="icon" href="data:,">
<link rel="stylesheet" href="pages.css">
<script src="events.js" defer></script>`,
  '<main id="events"><p>Loading /v1/asyncapi.json …</p></main>',
);
