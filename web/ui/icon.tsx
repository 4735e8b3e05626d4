const paths = {
  straight: 'M12 20V5m0 0-5 5m5-5 5 5',
  turn: 'M7 20v-7a3 3 0 0 1 3-3h8m0 0-4-4m4 4-4 4',
  slight: 'M8 20v-6l8-8m0 0v6m0-6h-6',
  uturn: 'M7 20V9a4.5 4.5 0 0 1 9 0v8m0 0-4-4m4 4 4-4',
  roundabout: 'M12 21v-6m0 0a4.5 4.5 0 1 1 4.2-3h3.3m0 0-3-3m3 3-3 3',
  arrive: 'M7 21V4h10l-2.5 3.5L17 11H7',
  close: 'm6 6 12 12M18 6 6 18',
  barrier: 'M4 9h16v6H4zM7 15v4m10-4v4M8 9l-3 6m8-6-3 6m8-6-3 6',
  play: 'M8 5v14l11-7z',
  swap: 'M8 4v15m0 0-4-4m4 4 4-4M16 20V5m0 0-4 4m4-4 4 4',
  locate: 'M12 3v3m0 12v3M3 12h3m12 0h3m-5 0a4 4 0 1 1-8 0 4 4 0 0 1 8 0',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  grip: 'M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01',
  print: 'M7 9V4h10v5M7 17H4v-7h16v7h-3M7 14h10v6H7z',
  compass: 'm12 3 4 9-4 9-4-9zM8 12h8',
  voice: 'M4 10v4h3l5 4V6l-5 4zM16 9a4 4 0 0 1 0 6m2-9a8 8 0 0 1 0 12',
  muted: 'M4 10v4h3l5 4V6l-5 4zm12 0 5 5m0-5-5 5',
  chevron: 'm6 15 6-6 6 6',
} as const;

export type IconName = keyof typeof paths;

/** A line drawing of 24 units; its meaning is in a text next to it or in the label of its button. */
export function Icon({ name, mirrored = false }: { name: IconName; mirrored?: boolean }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={paths[name]} {...(mirrored ? { transform: 'matrix(-1 0 0 1 24 0)' } : {})} />
    </svg>
  );
}
