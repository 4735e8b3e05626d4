/** Served as files, because the policy of the pages allows no script inside a document. */

/**
 * Starts Swagger UI, and mends what axe finds in it: a link inside each button that opens an operation,
 * lists without a name, a heading that skips a level, wide examples that no key scrolls. Its dark colours
 * wait for a class; here they follow the system.
 */
export const swaggerScript = `'use strict';
const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();

const names = { servers: 'Server' };
function mend(root) {
  for (const select of root.querySelectorAll('select:not([aria-label])'))
    select.setAttribute('aria-label', names[select.id] ?? select.getAttribute('title') ?? 'Choice');
  for (const input of root.querySelectorAll('input:not([aria-label]), textarea:not([aria-label])'))
    input.setAttribute('aria-label', input.placeholder || input.title || 'Value');
  root.querySelector('.information-container')?.setAttribute('role', 'banner');
  const servers = root.querySelector('.schemes-server-container, .scheme-container');
  servers?.setAttribute('role', 'region');
  servers?.setAttribute('aria-label', 'Server and authorization');
  for (const heading of root.querySelectorAll('h3.opblock-tag')) heading.setAttribute('aria-level', '2');
  for (const heading of root.querySelectorAll('h4, h5')) heading.setAttribute('aria-level', '3');
  for (const wide of root.querySelectorAll('pre:not([tabindex]), .highlight-code:not([tabindex])'))
    wide.tabIndex = 0;
}

window.SwaggerUIBundle({
  url: 'v1/openapi.json',
  dom_id: '#api',
  deepLinking: true,
  validatorUrl: null,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  plugins: [
    ({ React }) => ({
      wrapComponents: { DeepLink: () => ({ text }) => React.createElement('span', null, text) },
    }),
  ],
});
const root = document.getElementById('api');
new MutationObserver(() => mend(root)).observe(root, { childList: true, subtree: true });
`;

/** Colours that can be read, and targets of at least 24 pixels; the rest is Swagger UI's own sheet. */
export const swaggerStyle = `.swagger-ui a, .swagger-ui .info a, .swagger-ui .info .link .url { color: #1f5fb8; }
.swagger-ui .info .title small, .swagger-ui .info .title small.version-stamp { background: #3b4453; }
.swagger-ui .info .title small pre { color: #ffffff; }
.swagger-ui .opblock .opblock-summary-method,
.swagger-ui .opblock.opblock-get .opblock-summary-method { background: #1b5fa8; color: #ffffff; text-shadow: none; }
.swagger-ui .opblock.opblock-post .opblock-summary-method { background: #1b7446; }
.swagger-ui .opblock.opblock-put .opblock-summary-method,
.swagger-ui .opblock.opblock-patch .opblock-summary-method { background: #8a5200; }
.swagger-ui .opblock.opblock-delete .opblock-summary-method { background: #b3202a; }
.swagger-ui .btn.authorize, .swagger-ui .btn.authorize span { border-color: #1b7446; color: #1b7446; }
.swagger-ui .btn.cancel { border-color: #b3202a; color: #b3202a; }
.swagger-ui .btn.execute { background: #1b5fa8; border-color: #1b5fa8; color: #ffffff; }
.swagger-ui .json-schema-2020-12-expand-deep-button,
.swagger-ui .json-schema-2020-12__attribute--muted,
.swagger-ui .parameter__name.required::after,
.swagger-ui .response-control-media-type__accept-message,
.swagger-ui .parameter__in, .swagger-ui .parameter__deprecated { color: #4a5568; }
.swagger-ui button, .swagger-ui input[type="checkbox"] { min-height: 24px; min-width: 24px; }
.swagger-ui .copy-to-clipboard, .swagger-ui .copy-to-clipboard button { min-height: 24px; min-width: 24px; }
html.dark-mode { background: #1c2022; }
html.dark-mode .swagger-ui a, html.dark-mode .swagger-ui .info a,
html.dark-mode .swagger-ui .info .link .url { color: #8fb4ff; }
html.dark-mode .swagger-ui .btn.authorize, html.dark-mode .swagger-ui .btn.authorize span {
  border-color: #4cc38a; color: #4cc38a; }
html.dark-mode .swagger-ui .btn.cancel { border-color: #ff8a8a; color: #ff8a8a; }
html.dark-mode .swagger-ui .json-schema-2020-12-expand-deep-button,
html.dark-mode .swagger-ui .json-schema-2020-12__attribute--muted,
html.dark-mode .swagger-ui .parameter__name.required::after,
html.dark-mode .swagger-ui .response-control-media-type__accept-message,
html.dark-mode .swagger-ui .parameter__in { color: #b8c2cf; }
@media (prefers-reduced-motion: reduce) {
  .swagger-ui * { animation: none !important; transition: none !important; }
}
@media (max-width: 600px) { .swagger-ui .wrapper { padding: 0 8px; } }
`;
