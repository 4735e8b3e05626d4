import { useEffect, useState } from 'preact/hooks';

export const weekDays = 7;
const phone = matchMedia('(width <= 720px)');

/** Nights that fit beside each other: one week on a phone, two elsewhere. */
export function useDaysShown(): number {
  const [isPhone, setIsPhone] = useState(phone.matches);
  useEffect(() => {
    const changed = () => setIsPhone(phone.matches);
    phone.addEventListener('change', changed);
    return () => phone.removeEventListener('change', changed);
  }, []);
  return isPhone ? weekDays : 2 * weekDays;
}
