import { render } from 'preact';
import '../style/tokens.css';
import '../style/panel.css';
import '../hotel/stay.css';
import './operations.css';
import type { OperationsAnswer } from '#schemas/http/operations.js';
import { Frame } from '../hotel/frame.js';
import { addressOf, useAddress } from '../hotel/use-address.js';
import { ask } from '../http/ask.js';
import { language } from '../language/language.js';
import { operator } from '../sign-in/askers.js';
import { withToken } from '../sign-in/session.js';
import { ClosuresPage } from './closures-page.js';
import { CustomersPage } from './customers-page.js';
import { LagsPage } from './lags-page.js';
import { LoadPage } from './load-page.js';
import { messages } from './messages.js';
import { Overview } from './overview.js';
import { operationsPath } from './paths.js';
import { RequestsPage } from './requests-page.js';
import { usePolled } from './use-polled.js';
import { Watched } from './watched.js';

const everyMs = 5_000;

const views = {
  overview: Overview,
  lags: LagsPage,
  closures: ClosuresPage,
  requests: RequestsPage,
  customers: CustomersPage,
  load: LoadPage,
} as const;
type View = keyof typeof views;

const isView = (name: string): name is View => Object.hasOwn(views, name);
const links = (Object.keys(views) as View[]).map((name) => [messages.tabs[name], addressOf(name)] as const);

function Operations() {
  const [named = 'overview'] = useAddress();
  const view = isView(named) ? named : 'overview';
  const [state, again] = usePolled('operations', everyMs, (signal) =>
    withToken(operator, (token) => ask<OperationsAnswer>(operationsPath, { token, signal })),
  );
  const Shown = views[view];
  return (
    <Frame brand={messages.brand} links={links} here={addressOf(view)} saysConnection>
      <Watched state={state} again={again}>
        {(seen) => <Shown seen={seen} />}
      </Watched>
    </Frame>
  );
}

document.documentElement.lang = language;
document.title = messages.pageTitle;
render(<Operations />, document.getElementById('page') as HTMLElement);
