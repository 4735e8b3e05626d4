/** Served as files, because the policy of the pages allows no script inside a document. */
export const swaggerScript = `'use strict';
window.SwaggerUIBundle({
  url: 'v1/openapi.json',
  dom_id: '#api',
  deepLinking: true,
  validatorUrl: null,
  tryItOutEnabled: true,
  displayRequestDuration: true,
});
`;

/** Draws an AsyncAPI 3 document with text nodes only, so that nothing in it can become markup. */
export const eventsScript = `'use strict';
const root = document.getElementById('events');

function add(parent, name, text, className) {
  const element = document.createElement(name);
  if (text !== undefined) element.textContent = text;
  if (className !== undefined) element.className = className;
  parent.append(element);
  return element;
}

function follow(spec, value) {
  for (let steps = 0; value && typeof value.$ref === 'string' && steps < 16; steps += 1) {
    value = value.$ref
      .slice(2)
      .split('/')
      .reduce((at, key) => at?.[key.replaceAll('~1', '/').replaceAll('~0', '~')], spec);
  }
  return value ?? {};
}

function drawMessage(parent, spec, name, reference) {
  const message = follow(spec, reference);
  const details = add(parent, 'details');
  add(details, 'summary', message.name ?? name);
  if (message.summary) add(details, 'p', message.summary);
  if (message.description) add(details, 'p', message.description);
  add(details, 'pre', JSON.stringify(follow(spec, message.payload), null, 2));
}

function draw(spec) {
  root.replaceChildren();
  add(root, 'h1', spec.info.title + ' ' + spec.info.version);
  if (spec.info.description) add(root, 'p', spec.info.description);
  const operations = Object.values(spec.operations ?? {});
  for (const [name, reference] of Object.entries(spec.channels ?? {})) {
    const channel = follow(spec, reference);
    const section = add(root, 'section');
    add(section, 'h2', channel.address ?? name);
    const actions = operations
      .filter((operation) => follow(spec, operation.channel) === channel)
      .map((operation) => operation.action);
    add(section, 'p', [...new Set(actions)].join(', '), 'actions');
    if (channel.description) add(section, 'p', channel.description);
    for (const [key, message] of Object.entries(channel.messages ?? {})) drawMessage(section, spec, key, message);
  }
}

fetch('../v1/asyncapi.json')
  .then((answer) => (answer.ok ? answer.json() : Promise.reject(new Error('HTTP ' + answer.status))))
  .then(draw)
  .catch((error) => {
    root.replaceChildren();
    add(root, 'p', 'The description of the events failed to load: ' + error.message);
  });
`;

export const eventsStyle = `body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 60rem; padding: 1rem; }
h2 { font: 600 1.1rem ui-monospace, monospace; margin: 2rem 0 0; }
.actions { color: #555; margin: 0; }
pre { background: #f4f4f4; overflow: auto; padding: 0.5rem; }
summary { cursor: pointer; }
`;
