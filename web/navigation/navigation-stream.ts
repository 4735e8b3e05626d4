import type { Avoidance } from '#schemas/http/nav.js';
import type { Position } from '#schemas/http/shapes.js';
import type { ServerFrame } from '#schemas/nav-stream.js';
import { RequestFailed } from '../http/ask.js';
import { streamPath, streamSubprotocol } from '../http/paths.js';
import { traveller } from '../sign-in/askers.js';
import { tokenOf } from '../sign-in/session.js';
import { liveTrip, type NavigationEvent } from '../state/navigation-state.js';
import { app, say } from '../state/state.js';
import { reduceNavigation } from './navigation-reducer.js';
import { reconnectDelayMs } from './reconnect.js';

const pingEveryMs = 20_000;
/** A socket that is silent for longer than a ping and its answer take is dead. */
const silentMsMax = 30_000;

let socket: WebSocket | null = null;
/** The current attempt to open a socket; earlier attempts are ignored. */
let current: object | null = null;
let attempt = 0;
let lastHeard = 0;
let heart: ReturnType<typeof setInterval> | undefined;
let retry: ReturnType<typeof setTimeout> | undefined;

function apply(event: NavigationEvent): void {
  const { state, send } = reduceNavigation(app.get().navigation, event);
  app.set({ navigation: state });
  for (const frame of send) {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(frame));
  }
}

function readFrame(data: unknown): ServerFrame | null {
  if (typeof data !== 'string') return null;
  try {
    return JSON.parse(data) as ServerFrame;
  } catch {
    return null;
  }
}

function lose(lost: object): void {
  if (lost !== current) return;
  current = null;
  socket = null;
  apply({ type: 'lost' });
  if (liveTrip(app.get().navigation) === null) return;
  clearTimeout(retry);
  retry = setTimeout(
    () => {
      apply({ type: 'retrying' });
      void connect();
    },
    reconnectDelayMs(attempt++, Math.random),
  );
}

/** Before a navigation has begun; a running one goes on, and reconnects when the person has signed in. */
const isSignedOut = (cause: unknown): cause is RequestFailed =>
  cause instanceof RequestFailed &&
  cause.status === 401 &&
  liveTrip(app.get().navigation)?.navigationId === null;

async function connect(): Promise<void> {
  const mine = {};
  current = mine;
  let token: string;
  try {
    token = await tokenOf(traveller);
  } catch (cause) {
    if (current === mine && isSignedOut(cause)) {
      say(cause.message, 'bad');
      stopNavigation();
    } else lose(mine);
    return;
  }
  if (current !== mine) return;
  const address = new URL(streamPath, location.href);
  address.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';
  const opening = new WebSocket(address, streamSubprotocol);
  socket = opening;
  lastHeard = Date.now();
  opening.onopen = () => current === mine && apply({ type: 'opened', token });
  opening.onmessage = (message) => {
    if (current !== mine) return;
    lastHeard = Date.now();
    const frame = readFrame(message.data);
    if (frame === null) return;
    if (frame.type !== 'error') attempt = 0;
    apply({ type: 'frame', frame, now: Date.now() });
  };
  opening.onclose = () => lose(mine);
}

function beat(): void {
  if (socket?.readyState !== WebSocket.OPEN) return;
  if (Date.now() - lastHeard > silentMsMax) socket.close();
  else socket.send(JSON.stringify({ type: 'ping' }));
}

function hangUp(): void {
  clearTimeout(retry);
  clearInterval(heart);
  const closing = socket;
  current = null;
  socket = null;
  closing?.close();
}

/** Starts a navigation; a running one is ended first. `along`: points of the route that was chosen. */
export function startNavigation(
  origin: Position,
  destination: Position,
  avoid: readonly Avoidance[] = [],
  along: readonly Position[] = [],
): void {
  stopNavigation();
  attempt = 0;
  heart = setInterval(beat, pingEveryMs);
  apply({ type: 'asked', origin, destination, avoid, along });
  void connect();
}

export function sendPosition(position: Position): void {
  apply({ type: 'moved', position, now: Date.now() });
}

export function arrive(): void {
  apply({ type: 'arrived' });
  hangUp();
}

export function stopNavigation(): void {
  apply({ type: 'stopped' });
  hangUp();
}
