import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DefaultPlatform, npmStart } from './default-platform.js';
import { analyst } from './people/analyst.js';
import { driver } from './people/driver.js';
import { finance } from './people/finance.js';
import { guest } from './people/guest.js';
import { hotelStaff } from './people/hotel-staff.js';
import { merchant } from './people/merchant.js';
import { navigator } from './people/navigator.js';
import { operator } from './people/operator.js';
import { type Life, live } from './person.js';

/** 30 for the proof `daily-life`; the score of the city counts whole minutes. */
const minutes = Number(process.env['LIFE_MINUTES'] ?? 1);
const lastsMs = minutes * 60_000;

describe(`${minutes} minutes of npm start, with no setting changed`, { timeout: lastsMs + 240_000 }, () => {
  let platform: DefaultPlatform;
  let lives: readonly Life[] = [];
  let score: Awaited<ReturnType<DefaultPlatform['command']>>;

  beforeAll(async () => {
    platform = await npmStart();
    const people = await Promise.all(
      [driver, navigator, analyst, operator, guest, hotelStaff, merchant, finance].map((come) =>
        come(platform),
      ),
    );
    const untilMs = Date.now() + lastsMs;
    const scored = platform.command(
      ...['city', 'score', '--minutes', String(minutes)],
      ...['--url', platform.url, '--internal-url', platform.internalUrl],
    );
    // Finance judges what the others did, so it lasts longest.
    const others = people.filter(({ name }) => name !== 'finance');
    const working = Promise.all(others.map((person) => live(person, untilMs)));
    const judging = live(people.find(({ name }) => name === 'finance')!, untilMs);
    lives = [...(await working), await judging];
    score = await scored;
  }, lastsMs + 600_000);
  afterAll(() => platform?.dispose());

  it('every kind of user does their work, round after round', () => {
    console.log(lives.map(({ name, rounds }) => `${name} ${rounds}`).join(', '));
    expect(lives.flatMap(({ failures }) => failures)).toEqual([]);
    expect(lives.map(({ rounds }) => rounds >= 1)).toEqual(lives.map(() => true));
  });

  it('the score of the city is within its bounds', () => {
    console.log(score.stdout);
    expect(score.code, score.stderr).toBe(0);
  });

  it('its log has no warning', () => {
    const strange = platform
      .output()
      .split('\n')
      .filter((line) => /"level":("?(warn|error|fatal)|[4-6]0)/.test(line));
    expect(strange.join('\n')).toBe('');
  });

  it('it stops when asked, and rooms, bookings and money are proven', async () => {
    expect(await platform.stop()).toBe(0);
    const { code, stdout, stderr } = await platform.command('payment', 'proof');
    expect(code, stdout + stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ share: 1 });
  });
});
