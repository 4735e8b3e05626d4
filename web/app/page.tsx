import { useEffect, useState } from 'preact/hooks';
import { MapView } from '../city-map/map-view.js';
import { ClosureForm } from '../incidents/closure-form.js';
import { IncidentsCard } from '../incidents/incidents-card.js';
import { Figures } from '../live/figures.js';
import { NavigationCard } from '../navigation/navigation-card.js';
import { RerouteBanner } from '../navigation/reroute-banner.js';
import type { Travel } from '../navigation/travel.js';
import { ReachCard } from '../reach/reach-card.js';
import { PlaceMenu } from '../route/place-menu.js';
import { RouteCard } from '../route/route-card.js';
import { SharingCard } from '../sharing/sharing-card.js';
import { useProvider } from '../sign-in/use-provider.js';
import { liveTrip } from '../state/navigation-state.js';
import { type AppState, app } from '../state/state.js';
import { usePart } from '../state/use-part.js';
import { Icon } from '../ui/icon.js';
import * as messages from './messages.js';
import { NoticeLine } from './notice-line.js';

/** What the light beside the name says: live only while all that is asked is answered. */
function lightOf({ online, server, busy }: AppState): keyof typeof messages.server {
  if (!online) return 'offline';
  return server === 'answers' && busy ? 'busy' : server;
}

function Brand() {
  const name = usePart((state) => state.status?.tileset.name);
  const server = usePart(lightOf);
  useEffect(() => {
    if (name !== undefined) document.title = messages.title(name);
  }, [name]);
  return (
    <header class="brand">
      <h1>
        {messages.brand} <span>{name}</span>
      </h1>
      <p class={`server server-${server}`} role="status">
        {messages.server[server]}
      </p>
    </header>
  );
}

function SignIn() {
  const provider = useProvider();
  return (
    provider && (
      <section class="card" aria-label={messages.account}>
        <provider.SignInBar tells />
      </section>
    )
  );
}

function OfflineLine() {
  const online = usePart((state) => state.online);
  const driving = usePart((state) => liveTrip(state.navigation) !== null);
  // A drive says it itself.
  if (online || driving) return null;
  return (
    <p class="card offline" role="status">
      {messages.offline}
    </p>
  );
}

function Panel() {
  const navigation = usePart((state) => state.navigation);
  const picked = usePart((state) => state.picked);
  const driving = usePart((state) => liveTrip(state.navigation) !== null);
  const [tall, setTall] = useState(false);
  return (
    <main class={tall ? 'panel panel-tall' : 'panel'}>
      <button
        type="button"
        class="panel-handle"
        aria-label={tall ? messages.collapsePanel : messages.expandPanel}
        aria-expanded={tall}
        onClick={() => setTall(!tall)}
      >
        <Icon name="chevron" />
      </button>
      <Brand />
      <OfflineLine />
      {!driving && <SignIn />}
      {picked !== null && <ClosureForm road={picked} />}
      {navigation.phase === 'idle' ? <RouteCard /> : <NavigationCard state={navigation} />}
      {driving ? (
        <details class="card folded">
          <summary>{messages.roads}</summary>
          <IncidentsCard />
        </details>
      ) : (
        <>
          <ReachCard />
          <IncidentsCard />
          <SharingCard />
        </>
      )}
    </main>
  );
}

/** Escape leaves the closing of a road from anywhere on the page. */
function useEscape(): void {
  useEffect(() => {
    const leave = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      if (app.get().menu !== null) app.set({ menu: null });
      if (app.get().tool === 'close') app.set({ tool: 'route', picked: null });
    };
    addEventListener('keydown', leave);
    return () => removeEventListener('keydown', leave);
  }, []);
}

export function Page({ travel }: { travel: Travel }) {
  useEscape();
  const driving = usePart((state) => liveTrip(state.navigation) !== null);
  return (
    <div class={driving ? 'page-driving' : ''}>
      <MapView travel={travel} />
      <Panel />
      <PlaceMenu />
      <RerouteBanner />
      <Figures />
      <NoticeLine />
      <footer class="attribution">
        <a href="https://www.openstreetmap.org/copyright" target="_blank" rel="noopener noreferrer">
          {messages.mapSource}
        </a>
      </footer>
    </div>
  );
}
