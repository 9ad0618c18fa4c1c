// The panel's words: one data file a language, English where a language or a key is missing.

let words = {};
let plurals = new Intl.PluralRules("en");
let tag = "en";

const flat = (node, path, into) => {
  for (const [key, value] of Object.entries(node)) {
    const at = path ? `${path}.${key}` : key;
    if (typeof value === "object" && !("other" in value)) flat(value, at, into);
    else into[at] = value;
  }
  return into;
};

const read = async (folder, language) => {
  const answer = await fetch(`${folder}/${language}.json`);
  return answer.ok ? flat(await answer.json(), "", {}) : null;
};

export const loadStrings = async (folder, language) => {
  const short = language.split("-")[0];
  const wanted = [...new Set([language, short])].filter((each) => each !== "en");
  const english = read(folder, "en");
  let own = null;
  for (const each of wanted) own ??= await read(folder, each);
  words = { ...(await english), ...(own ?? {}) };
  tag = own === null ? "en" : language;
  plurals = new Intl.PluralRules(tag);
};

export const language = () => tag;

export const has = (key) => key in words;

export const t = (key, values = {}) => {
  let said = words[key] ?? key;
  if (typeof said === "object") said = said[plurals.select(Number(values.count ?? 1))] ?? said.other;
  return said.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
};

// A word from a set that grows in the core: the raw word where no language names it yet.
export const named = (group, word) => (has(`${group}.${word}`) ? t(`${group}.${word}`) : String(word).replaceAll("_", " "));

export const listed = (parts, type = "conjunction") => new Intl.ListFormat(tag, { type }).format(parts);

// Formatters are dear to make and cheap to use.
const made = {};
// The zone and the hours that the user chose in their profile; the browser's own where they chose none.
let clock = {};
export const useClock = ({ locale, config }) => {
  clock = {};
  if (locale?.time_zone === "server") clock.timeZone = config.time_zone;
  if (["12", "24"].includes(locale?.time_format)) clock.hour12 = locale.time_format === "12";
};

const formatter = (kind, options) => (made[`${tag} ${kind.name} ${JSON.stringify(options)}`] ??= new kind(tag, options));

export const number = (value, digits = 0) =>
  formatter(Intl.NumberFormat, { maximumFractionDigits: digits, minimumFractionDigits: digits }).format(value);

export const percent = (share) => formatter(Intl.NumberFormat, { style: "percent" }).format(share);

const time = (options) => formatter(Intl.DateTimeFormat, { ...options, ...clock });
const dayOf = (when) => time({ dateStyle: "short" }).format(when);

// Today by the clock alone, anything else with its day.
export const moment = (at, now = new Date()) => {
  const when = new Date(at);
  const day = dayOf(when) === dayOf(now) ? {} : { day: "numeric", month: "short" };
  return time({ ...day, hour: "2-digit", minute: "2-digit" }).format(when);
};

export const fullMoment = (at) => time({ dateStyle: "full", timeStyle: "medium" }).format(new Date(at));
