import { spend } from '../work.ts'
import { fold, isBlank, isQuoted, skipBlank } from './lines.ts'

/** "On … Carla wrote:", the sentence a mail program puts above what it quotes. */
export interface Attribution {
  from: number
  /** The line after its last. */
  to: number
  /** Whether it contains a date or an address as only mail programs write it, and so marks history even without `>`. */
  certain: boolean
  quoteFollows: boolean
}

const longestLine = 300
const mostLines = 4

/** Past tenses of "to write", as mail programs word them in each language. */
const verb = new RegExp(
  ' (?:wrote|schrieb|a écrit|escribió|ha scritto|schreef|geschreven|escreveu|napisał|napisała|napisał\\(a\\)|pisze|skrev|' +
    'kirjoitti|napsal|napsala|napsal\\(a\\)|написал|написала|написал\\(а\\)|пишет|пише|написав|a scris|ezt írta|' +
    'şunu yazdı|şunları yazdı|yazdı|έγραψε|írta|пише|написав\\(ла\\)|wiadomość napisana przez|đã viết|menulis|' +
    'ने लिखा|כתב|כתבה|כתב/ה|كتب|تمت كتابة|הבא מאת|написао|пише|je napisao|je napisala|napísal|napísala|napísal\\(a\\)|' +
    'parašė|rakstīja|kirjutas|a escrit|idatzi du|skrifaði|menulis:|เขียนว่า|viết|' +
    'написа|napisao|napisala|napisao je|napisala je|rašė)[ :]',
)
/** Used by people as well as by mail programs: a quote must follow. */
const looseVerb = / (?:writes|said|says|schreibt|scrive|escribe)[ :]/
/** For languages without spaces between words. */
const attachedVerb = /写道|寫道|のメール|のメッセージ|は書きました|님이 작성| 작성[:：]|쓴 글|เขียน/
const endsWithVerb = new RegExp(`(?:${attachedVerb.source})(?:ว่า)?\\s*[:：]?$`)

/** First word of an attribution that spans several lines: a short word or an abbreviated weekday. */
const leadWords = new Set(
  (
    'on am le el il op em a den dne dnia mon tue wed thu fri sat sun mo di mi do fr sa so lun mar mer jeu ven sam ' +
    'dim mié jue vie sáb dom gio sab seg ter qua qui sex ma wo vr za zo pon wt śr czw pt sob niedz mån tis ons ' +
    'tors fre lör sön man tir lør søn ti ke to pe la su po út st čt pá ne пн вт ср чт пт сб вс ' +
    'în pe στις στις pada vào ngày w no às dnia у в في ב בתאריך 於 wiadomość нд'
  ).split(' '),
)

const year = /(?:^|[^\d])(?:19|20)\d\d(?!\d)/
const shortDate = /(?:^|[^\d])\d{1,2}[./-] ?\d{1,2}[./-] ?\d{2}(?!\d)/
const time = /(?:^|[^\d])\d{1,2}(?:[:.h]| h )\d{2}(?!\d)/

/** All attributions in the first `limit` lines, in order. */
export function findAttributions(lines: readonly string[], limit: number): Attribution[] {
  const found: Attribution[] = []
  for (let end = 0; end < limit; end++) {
    if (!endsLikeOne(lines[end]!) || (isQuoted(lines[end]!) && !closesAddress(lines, end))) continue
    const attribution = readAttribution(lines, end, limit)
    if (attribution) found.push(attribution)
  }
  return found
}

/** Reads backwards from the last line, because only that one is sure to have a colon. */
function readAttribution(lines: readonly string[], end: number, limit: number): Attribution | null {
  const quoteFollows = isQuotedAt(lines, end + 1, limit)
  if (quoteFollows && oldGmail.test(lines[end]!))
    return { from: end, to: end + 1, certain: true, quoteFollows }
  // Only people end it with dots, and only above a quote.
  if (!quoteFollows && endsInDots(lines[end]!)) return null
  // Without colon, dots or dashes, it has to begin like an attribution.
  const isBare = lastVerb.test(lines[end]!) && withoutDashes(lines[end]!) === lines[end]!
  let sentence = ''
  let shortest: Attribution | null = null
  for (let from = end; from >= 0 && from > end - mostLines; from--) {
    const line = lines[from]!
    if (line.length > longestLine || isBlank(line)) break
    if (isQuoted(line) && !closesAddress(lines, from)) break
    // An attribution has a single colon at its end: this line belongs to earlier text.
    if (from < end && (endsInColon(line) || label.test(line))) break
    // It is complete: the sentence above is the sender's.
    if (shortest && /\p{Ll}{3}[.!?]$/u.test(line.trim())) break
    sentence = `${fold(withoutDashes(line))} ${sentence}`.trim()
    const judged = judge(sentence)
    if (judged === 'none' || (judged !== 'certain' && !quoteFollows)) continue
    if (!quoteFollows && isTold(sentence)) continue
    const led = startsLikeOne(sentence)
    if (!led && (isBare || inTheMiddle.test(sentence))) continue
    if (judged === 'verb' && !(led && namesSomeone(lines.slice(from, end + 1).join(' ')))) continue
    const found = { from, to: end + 1, certain: judged === 'certain', quoteFollows }
    const adds = !shortest || /\d/.test(fold(line))
    if ((led && adds) || (judged === 'certain' && time.test(sentence))) return found
    shortest ??= found
  }
  if (shortest || !quoteFollows) return shortest
  // "Carla Brandt wrote:" is weak evidence on its own, but a quote right below it confirms it.
  const last = lines[end]!
  const bare = withoutDashes(last)
  const named = last.length < 80 && judge(fold(bare)) === 'verb' && namesSomeone(bare)
  return named ? { from: end, to: end + 1, certain: false, quoteFollows } : null
}

/** Whether a name is next to the verb: "as the poet wrote:" and "She wrote:" belong to the text. */
function namesSomeone(sentence: string): boolean {
  spend(10 + sentence.length)
  const padded = ` ${sentence} `
  const lower = padded.toLowerCase()
  const found = verb.exec(lower) ?? looseVerb.exec(lower)
  if (!found) return attachedVerb.test(lower)
  const before = padded.slice(0, found.index).trim().split(' ').at(-1)!
  const after = padded
    .slice(found.index + found[0].length)
    .trim()
    .split(' ')[0]!
  return [before, after].some((word) => /^[^\p{Ll}:]/u.test(word) && !pronouns.has(word.toLowerCase()))
}
const pronouns = new Set(
  'i he she it they we you er sie wir ich il elle nous él ella lui lei hij zij'.split(' '),
)

/** Some users word the sentence themselves and end it with dots; some mail programs omit the colon. */
function endsLikeOne(line: string): boolean {
  if (endsInDots(line) || endsInColon(line)) return true
  if (line.length > longestLine || line.length < 6) return false
  return lastVerb.test(line) || oldGmail.test(line)
}

function endsInDots(line: string): boolean {
  return line.endsWith('...') || line.endsWith('…')
}

/**
 * "I wrote to you on 3 November 2026 at 10:42:" is what somebody tells; mail programs name a person. What follows has no
 * quote mark, so only this keeps it. A name beside a bracketed address may contain any word.
 */
function isTold(sentence: string): boolean {
  spend(10 + sentence.length)
  if (/[<([][^\s<>]{0,80}@/.test(sentence) || endsWithVerb.test(sentence)) return false
  return (
    attachedVerb.test(sentence) ||
    /\bi (?:\p{L}{2,12} )?wrote\b/u.test(sentence) ||
    sentence.split(/[\s,:;]+/).some((word) => told.has(word))
  )
}
const told = new Set(
  (
    'you he she we they me him my your our their that this these ich wir sie mir uns ihnen mich mein meine ihr ihre ' +
    "unser unsere dass daß je j'ai j’ai vous nous elle votre vos notre que ceci yo usted esto io lei che ik wij mij uw dat " +
    'jag vi oss era jeg dere deres я мне нам вам ваш ваша ваши наш mnie nam wam wasz mój já mně vám váš vaše ' +
    'eu você vocês seu sua bana size לי לנו אני לכם لي لكم أنا minä'
  ).split(' '),
)

/** The sender's own words come before the attribution on the same line. */
const inTheMiddle = /[^\s-] ?-{2,} ?on /
/** "Date: …" is a header field, not the beginning of a sentence. */
const label = /^\W{0,3}[\p{L}-]{2,20}:\s/u
const lastVerb = / (?:wrote|schrieb|a écrit|escribió|ha scritto|escreveu|skrev|schreef)(?: ?-{2,})?\s?$/
/** "2011/4/7 Carla Brandt <carla@brandt.example>" */
const oldGmail = /^\d{4}[/-]\d{1,2}[/-]\d{1,2} [^<>]{1,80}<[^<>\s]{1,80}@[^<>\s]{1,80}>\s?$/

/** "---- On … wrote ----" */
function withoutDashes(line: string): string {
  return line.startsWith('--') ? line.replace(/^-{2,} ?/, '').replace(/ ?-{2,}\s?$/, '') : line
}

/** An address was wrapped before its closing bracket: this line begins with `>` but is not a quote. */
function closesAddress(lines: readonly string[], at: number): boolean {
  const before = lines[at - 1] ?? ''
  return (
    /^>+ ?(?:\p{L}{1,20} ?){0,2}[:：]$/u.test(lines[at]!) && before.lastIndexOf('<') > before.lastIndexOf('>')
  )
}

/** Whether a quoted line, without its quote marks, is an attribution: Apple Mail quotes it with the rest. */
export function isAttribution(content: string): boolean {
  return content.length <= longestLine && endsInColon(content) && judge(fold(content)) === 'certain'
}

function endsInColon(line: string): boolean {
  const last = line.at(-1)
  if (last === ':' || last === '：') return true
  return (last === ' ' || last === '\u00a0') && line.length <= longestLine && /[:：]\s{1,4}$/.test(line)
}

function isQuotedAt(lines: readonly string[], from: number, limit: number): boolean {
  const next = skipBlank(lines, from, Math.min(limit, from + 3))
  return next < limit && lines[next] !== undefined && isQuoted(lines[next])
}

type Judgement = 'certain' | 'likely' | 'verb' | 'none'

function judge(sentence: string): Judgement {
  spend(10 + sentence.length)
  const addressed = sentence.includes('@')
  if (looseVerb.test(` ${sentence}`)) return addressed || /\d/.test(sentence) ? 'likely' : 'verb'
  const written = hasVerb(sentence)
  if (!written && !addressed) return 'none'
  if (written && !addressed && !/\d/.test(sentence)) return 'verb'
  const dated = year.test(sentence) || shortDate.test(sentence)
  const timed = time.test(sentence)
  if (!written && dated && timed) return endsWithAddress(sentence) ? 'certain' : 'likely'
  if (!written) return 'none'
  if (dated ? addressed || timed : addressed && timed) return 'certain'
  return addressed || dated || timed ? 'likely' : 'verb'
}

function hasVerb(sentence: string): boolean {
  return verb.test(` ${sentence} `) || attachedVerb.test(sentence)
}

/** Gmail in Russian and Japanese uses no verb: date, name, address, colon. */
function endsWithAddress(sentence: string): boolean {
  return /@[^\s<>()]{1,80}[>)] ?[:：]$/.test(sentence)
}

function startsLikeOne(sentence: string): boolean {
  if (/^\d/.test(sentence) || sentence.startsWith('在')) return true
  const first = sentence.split(' ', 1)[0]!.replace(/[.,]+$/, '')
  return leadWords.has(first) || sentence.startsWith('w dniu ')
}
