/** A number from 0 to 999 that is always the same for one text. */
const numberOf = (text: string, salt: number): number =>
  Array.from(text).reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)!) % 9_973, salt) % 1_000;

const walls = ['#d8c3a5', '#c9d6df', '#e0b1a0', '#bfcfb2', '#d6c7dd', '#e6d39a'];
const skies = ['#9cc4e4', '#f2c6a0', '#7d93c4', '#b7d7d8'];

/** A drawing of a house, always the same for one hotel: its colour, floors, windows and door. */
export function HotelPicture({ hotelId }: { readonly hotelId: string }) {
  const pick = (salt: number, many: number) => numberOf(hotelId, salt) % many;
  const floors = 3 + pick(1, 3);
  const columns = 3 + pick(2, 3);
  const top = 88 - floors * 15;
  const left = 60 - columns * 10;
  const windows = Array.from({ length: floors * columns }, (_, i) => i);
  return (
    <svg
      class="hotel-picture"
      viewBox="0 0 120 90"
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
      focusable="false"
    >
      <rect width="120" height="90" fill={skies[pick(3, skies.length)]} />
      <circle cx={18 + pick(4, 80)} cy={14 + pick(5, 10)} r="7" fill="#fff6d5" />
      <rect y="84" width="120" height="6" fill="#8a9a78" />
      <rect
        x={left - 4}
        y={top - 6}
        width={columns * 20 + 8}
        height={92 - top}
        fill={walls[pick(6, walls.length)]}
      />
      <rect x={left - 7} y={top - 9} width={columns * 20 + 14} height="4" fill="#6b5347" />
      {windows.map((i) => (
        <rect
          key={i}
          x={left + 4 + (i % columns) * 20}
          y={top + Math.floor(i / columns) * 15}
          width="12"
          height="9"
          fill={numberOf(hotelId, 20 + i) % 3 === 0 ? '#ffe08a' : '#4a5f78'}
        />
      ))}
      <rect x="55" y="74" width="10" height="12" fill="#5a3b2e" />
    </svg>
  );
}
