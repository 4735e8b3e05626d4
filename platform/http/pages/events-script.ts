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
  // A wide one scrolls in itself, also by keyboard.
  add(details, 'pre', JSON.stringify(follow(spec, message.payload), null, 2)).tabIndex = 0;
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
