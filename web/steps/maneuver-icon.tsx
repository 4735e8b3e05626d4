import { Icon, type IconName } from '../ui/icon.js';

function shapeOf(maneuver: string): IconName {
  if (maneuver.startsWith('uturn')) return 'uturn';
  if (maneuver.startsWith('roundabout') || maneuver.startsWith('rotary')) return 'roundabout';
  if (maneuver.includes('slight') || maneuver.startsWith('fork') || maneuver.startsWith('ramp'))
    return 'slight';
  if (maneuver.includes('left') || maneuver.includes('right')) return 'turn';
  return 'straight';
}

/** The drawing for a Google Directions maneuver word, such as `turn-slight-left`. */
export function ManeuverIcon({ maneuver, last }: { maneuver: string | undefined; last: boolean }) {
  if (last) return <Icon name="arrive" />;
  const word = maneuver ?? 'straight';
  return <Icon name={shapeOf(word)} mirrored={word.includes('left')} />;
}
