/**
 * What a script of a profile changes that has a counterpart here. A script is read line by line; a scenario
 * with a line that has none is foreign.
 */
export interface ProfileScript {
  /** The profile that the script begins with. */
  readonly base?: string;
  readonly drivingSide?: 'left' | 'right';
  /** Seconds of every stretch between two nodes of a way. */
  readonly segmentS?: number;
  /** Seconds of every way from its first node to its last, and its km/h. */
  readonly wayS?: number;
  readonly wayKph?: number;
  /** Seconds of every turn but those straight on. */
  readonly turnS?: number;
  /** Whether a turn of 180 degrees costs nothing. */
  readonly freeUturns?: boolean;
  readonly continueStraight?: boolean;
  readonly cardinalDirections?: boolean;
  /** Whether no road has a name. */
  readonly isNameless?: boolean;
  /** km/h that no vehicle exceeds. */
  readonly topSpeed?: string;
  /** A class that every route keeps off. */
  readonly exclude?: string;
}

type Reading = (value: string) => ProfileScript;
const nothing: Reading = () => ({});

/** The text of a line, where `#` stands for a value, and what it says. */
const readings: readonly (readonly [RegExp, Reading])[] = [
  // A script that stands alone, in the form of any version, has the same speed on all ways.
  [/^api_version = [0-4]$/, nothing],
  [/^(?:function setup\(\)|return \{|properties = \{|\},?|--.*)$/, nothing],
  [/^(?:setup|process_(?:node|way|segment|turn|relation)) = \w+,?$/, nothing],
  [/^function (?:process_)?(?:node|segment)(?:_function)? ?\([\w, ]+\)$/, nothing],
  [/^function (?:way_function\(way|process_way\(profile, way), result(?:, relations)?\)$/, aloneOf],
  [/^function (?:turn_function|process_turn) ?\((?:angle|(?:profile, )?turn)\)$/, nothing],
  [/^(?:Set|Sequence|Handlers|find_access_tag|limit) = require ?\(["'][\w/]+["']\)(?:\.\w+)?$/, nothing],
  // What it prints is not asked of a router; roles of relations are only printed.
  [/^print ?\(.*\)$/, nothing],
  [/^relation_types = Sequence \{ "route" \}$/, nothing],
  [/^local (?:rel_id_list|rel|role) = (?:relations|rel):\w+\(\w+\)$/, nothing],
  [/^for i, rel_id in ipairs\(rel_id_list\) do$/, nothing],
  [/^assert\(properties\.\w+ == [\d.]+\)$/, nothing],
  // Properties with the values that a car has here; the testbot of this suite does not wait at signals.
  [/^(?:properties\.)?(?:use_turn_restrictions|continue_straight_at_waypoint)\s+= true,?$/, nothing],
  [/^(?:properties\.)?(?:max_speed_for_map_matching|weight_name|weight_precision)\s+= [\w./']+,?$/, nothing],
  [
    /^properties\.(?:u_turn_penalty\s+= 20|left_hand_driving\s+= false|traffic_signal_penalty\s+= 2)$/,
    nothing,
  ],
  [/^result\.name = way:get_value_by_key\('name'\)$/, nothing],
  // In the first version a turn is stated in tenths of a second.
  [/^return angle == 0 and 0 or (\d+)$/, (tenths) => ({ turnS: Number(tenths) / 10 })],
  [/^turn\.weight = turn\.angle == 0 and 0 or ([\d.]+)$/, (seconds) => ({ turnS: Number(seconds) })],
  [/^turn\.duration = turn\.weight$/, nothing],
  // The frame of a script that changes a profile.
  [/^(?:local )?functions = require\(["'](\w+)["']\)$/, (base) => ({ base })],
  [/^functions\.(?:setup_testbot|process_segment|process_way) = (?:functions\.setup|\w+_function)$/, nothing],
  [/^functions\.setup = function\(\)$/, nothing],
  [/^local profile = functions\.setup_testbot\(\)$/, nothing],
  [/^(?:return (?:profile|functions)|end)$/, nothing],
  [/^functions\.process_(?:segment|way) = function\(profile, (?:segment|way, result)\)$/, nothing],
  [/^function segment_function\(profile, segment\)$/, nothing],
  [/^local testbot_process_way = functions\.process_way$/, nothing],
  [/^testbot_process_way\(profile, way, result\)$/, nothing],
  [/^result\.(?:forward|backward)_mode = mode\.driving$/, nothing],
  // The weight of a route is its duration here, whatever it is called there.
  [/^profile\.(?:properties\.)?weight_(?:name|precision) = \S+$/, nothing],
  // Constant weights order routes as constant durations do.
  [/^(?:segment|result)\.weight = [\d.]+$/, nothing],
  // The testbot of this suite does not wait at signals.
  [/^profile\.(?:properties\.)?traffic_signal_penalty = 0$/, nothing],
  [/^profile\.(?:properties\.)?u_turn_penalty = 0$/, () => ({ freeUturns: true })],
  [/^profile\.(?:properties\.)?continue_straight_at_waypoint = (true|false)$/, continueStraightOf],
  [/^profile\.properties\.left_hand_driving = (true|false)$/, sideOf],
  [/^result\.is_left_hand_driving = (true|false)$/, sideOf],
  [/^profile\.cardinal_directions = (true|false)$/, (value) => ({ cardinalDirections: value === 'true' })],
  [/^function way_function\(profile, way, result\)$/, nothing],
  [/^result\.name = ""$/, () => ({ isNameless: true })],
  // The maps have none of these, and a testbot reads no lanes.
  [/^result\.(?:ref|destinations|exits|pronunciation|turn_lanes_(?:forward|backward)) = ""$/, nothing],
  // Links belong to the class.
  [/^profile\.avoid = Set \{ '(motorway)', 'motorway_link' \}$/, (exclude) => ({ exclude })],
  [/^profile\.vehicle_max_speed = (\d+)$/, (topSpeed) => ({ topSpeed })],
  [/^profile\.vehicle_max_speed = nil$/, nothing],
  // Speeds by class, which are our own.
  [/^(?:profile\.speeds = Sequence \{|highway = \{|(?!api_version)\w+\s+= \d+,?|\})$/, nothing],
  // Ferries can always be excluded.
  [/^profile\.excludable = Sequence \{ Set \{ 'ferry' \} \}$/, nothing],
  [/^segment\.duration = ([\d.]+)$/, (value) => ({ segmentS: Number(value) })],
  [/^result\.duration = ([\d.]+)$/, (value) => ({ wayS: Number(value) })],
  [/^result\.(?:forward|backward)_speed = ([\d.]+)$/, (value) => ({ wayKph: Number(value) })],
];

function sideOf(isLeft: string): ProfileScript {
  return { drivingSide: isLeft === 'true' ? 'left' : 'right' };
}

/** Without a profile that it begins with, all ways are alike, as those of the testbot with one speed. */
function aloneOf(): ProfileScript {
  return { base: 'testbot' };
}

function continueStraightOf(value: string): ProfileScript {
  return { continueStraight: value === 'true' };
}

/** What the lines of a script say, and whether each of them has a counterpart. */
export function readProfileScript(lines: readonly string[]): { script: ProfileScript; isWhole: boolean } {
  let script: ProfileScript = {};
  let isWhole = true;
  for (const line of lines.map((each) => each.trim()).filter((each) => each !== '')) {
    const found = readings
      .map(([text, read]) => ({ match: text.exec(line), read }))
      .find(({ match }) => match !== null);
    if (found === undefined) isWhole = false;
    else script = { ...script, ...found.read(found.match![1] ?? '') };
  }
  return { script, isWhole };
}
