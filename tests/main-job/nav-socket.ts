import { WebSocket } from 'ws';
import {
  type ClientFrame,
  navStreamPath,
  navStreamSubprotocol,
  type ServerFrame,
} from '#schemas/nav-stream.js';

type FrameOf<Type extends ServerFrame['type']> = Extract<ServerFrame, { type: Type }>;

export interface NavSocket {
  send(frame: ClientFrame): void;
  /** The next frame of this type, which may have arrived before and not been taken. */
  next<Type extends ServerFrame['type']>(type: Type, withinMs?: number): Promise<FrameOf<Type>>;
  /** Frames that arrived and were not taken. */
  untaken(): readonly ServerFrame[];
  close(): void;
}

/** A driver's socket like a phone opens it: hello with the token, then frames. */
export async function openNavSocket(baseUrl: string, token: string): Promise<NavSocket> {
  const socket = new WebSocket(baseUrl.replace(/^http/, 'ws') + navStreamPath, [navStreamSubprotocol]);
  const frames: ServerFrame[] = [];
  let wake: () => void = () => undefined;
  socket.on('message', (data) => {
    frames.push(JSON.parse(String(data)) as ServerFrame);
    wake();
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve());
    socket.once('error', reject);
  });
  const nav: NavSocket = {
    send: (frame) => socket.send(JSON.stringify(frame)),
    async next(type, withinMs = 60_000) {
      const deadline = Date.now() + withinMs;
      for (;;) {
        const index = frames.findIndex((frame) => frame.type === type);
        if (index >= 0) return frames.splice(index, 1)[0] as FrameOf<typeof type>;
        const left = deadline - Date.now();
        if (left <= 0)
          throw new Error(`no ${type} frame within ${withinMs} ms; got ${JSON.stringify(frames)}`);
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, left);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
    },
    untaken: () => frames,
    close: () => socket.close(),
  };
  nav.send({ type: 'hello', token });
  await nav.next('ready');
  return nav;
}
