import { isRule } from './divider.ts'
import { fold, isBlank, phrases, trimBlank } from './lines.ts'

const mostSignatureLines = 30
const mostBareSignatureLines = 8
const mostFooterLines = 8

const sentFrom = [
  ...phrases(`
    sent from | sent via | sent with | sent using | get outlook for | von meinem/meiner | von meinem |
    von meiner | gesendet von | gesendet mit | gesendet über | diese nachricht wurde von meinem |
    envoyé de | envoyé depuis | envoyé à partir | enviado desde | enviado de | enviado do |
    enviado a partir | inviato da | inviato dal | verstuurd vanaf | verzonden vanaf | verzonden met |
    wysłane z | wysłano z | skickat från | sendt fra | lähetetty | odesláno z | отправлено с |
    отправлено из | надіслано з | trimis de pe | trimis din | στάλθηκε από | đã gửi từ | được gửi từ |
    gửi từ | أُرسلت من | أرسلت من | تم الإرسال من | dikirim dari | odoslané z
  `).map((phrase) => `${phrase} `),
  // A prefix of the next word, or without spaces.
  'נשלח מה',
  'נשלח מ',
  '從我的',
]
const devices = (
  'iphon ipad android samsung galaxy huawei xiaomi pixel blackberry nokia smartphone phone handy mobil móvil ' +
  'tablet téléphone telefon outlook gmail mail windows thunderbird web.de gmx typeapp wiko oneplus oppo'
).split(' ')
/** Programs whose names are words, or begin the name of a firm: nothing else may follow. */
const programs =
  /^(?:hey|spark|superhuman)(?: (?:e?mail|for|on|ios|android|mobile|desktop)\b.*)?[\s.(]*(?:https?:.*)?$/
const outlookFor =
  /\boutlook (?:for|für|pour|para|per|voor|dla(?: systemu)?|för|til|pro|для) (?:ios|android|mac|mobile)\b|^下载 ?outlook/
const sentWithin = /から送信$|^發自|^发自|에서 보냄$|^i?phone.{0,12} (?:gönderildi|küldve)$/

/** "Sent from my iPhone" and similar lines. */
export function isMobileSignature(line: string): boolean {
  if (line.length > 160) return false
  const bare = fold(line)
    .replace(/<https?:[^>]*>$/, '')
    .trim()
  if (bare.length > 100) return false
  if (outlookFor.test(bare) && bare.length < 60) return true
  if (sentWithin.test(bare)) return true
  const start = sentFrom.find((each) => bare.startsWith(each))
  if (start === undefined) return false
  // "Sent from my desk, which is easier than my phone." is a sentence: a device must come right after the phrase.
  const rest = bare.slice(start.length)
  const named = rest.split(' ', 4).join(' ').replace(anyMail, '')
  return (
    (programs.test(rest) || devices.some((device) => named.includes(device))) && !isOwnSentence(start, rest)
  )
}

/** "Sent via mail on Monday": only with a name before it or a system after it is it a program. */
const anyMail = /^mail\b(?!\.\w| (?:app|for|für|pour|para|per|voor|dla|för|til)\b)|\be-?mail\b/

/** "Von meinem Handy aus geht es nicht.", "Sent from Outlook it bounces." */
function isOwnSentence(start: string, rest: string): boolean {
  if (start.startsWith('von mein'))
    return !/\b(?:gesendet|versendet|verschickt|geschickt|geschrieben)\b/.test(rest)
  return rest
    .split(/[.,;!–—(]| - /, 1)[0]!
    .split(' ')
    .some((word) => ownWords.has(word))
}
const ownWords = new Set(
  (
    'it is was are were does did has have i we you they he she not no never yesterday today ist war hat geht kam kommt ' +
    'es ich wir sie er nicht kein keine gestern heute est je il elle pas ne hier funciona se ayer hoy non ieri oggi ' +
    'het ik niet gisteren monday tuesday wednesday thursday friday montag dienstag mittwoch donnerstag freitag'
  ).split(' '),
)

/** The end of `lines[from, to)` without its signature. */
export function trimSignature(lines: readonly string[], from: number, to: number): number {
  let end = trimBlank(lines, from, to)
  for (let round = 0; round < 3; round++) {
    const before = end
    while (end > from && isMobileSignature(lines[end - 1]!)) end = trimBlank(lines, from, end - 1)
    const delimiter = findDelimiter(lines, from, end)
    if (delimiter !== null) end = trimBlank(lines, from, delimiter)
    if (end === before) break
  }
  return end
}

function findDelimiter(lines: readonly string[], from: number, end: number): number | null {
  let longLines = 0
  for (let i = end - 1, written = 0; i >= from && written <= mostSignatureLines; i--) {
    const line = lines[i]!
    // A patch below the dashes is the content of the mail, not a signature.
    if (/^(?:diff |@@ |\+\+\+ )/.test(line)) return null
    if (line === '-- ' || line === '--\u00a0') return i
    // The space after the dashes may get lost in transit; then only a block that looks like a signature counts.
    if (line === '--' && written <= mostBareSignatureLines && longLines === 0 && written > 0) return i
    if (!isBlank(line)) written++
    if (line.length > 70 || isSentence(line) || line.endsWith('?') || listItem.test(line)) longLines++
    if (postscript.test(line)) return null
  }
  return null
}

/** "1. yes", "- no", "3 x the red one" */
const listItem = /^\s{0,3}(?:[-*•]\s|\d{1,3}(?:[.)]|\s?x)\s)/

/** What is added below the name is no part of it. */
const postscript = /^\s{0,3}(?:p\. ?(?:p\. ?)?s\b|pp?s ?:)/i

function isSentence(line: string): boolean {
  return /\p{Ll}[.!?]$/u.test(line) && line.trim().split(' ').length > 4
}

/** Removes what a mailing list appends: a rule, then its name, address or how to unsubscribe. */
export function trimListFooter(lines: readonly string[], from: number, to: number): number {
  const end = trimBlank(lines, from, to)
  for (let i = end - 1, written = 0; i >= from && written <= mostFooterLines; i--) {
    const line = lines[i]!
    if (isRule(line) || /^_{2,}$/.test(line)) {
      if (written > 0 && lines.slice(i + 1, end).some(speaksOfList)) return trimBlank(lines, from, i)
    }
    if (!isBlank(line)) written++
  }
  return end
}

function speaksOfList(line: string): boolean {
  const bare = fold(line.slice(0, 200))
  // What a person asks for: "Please unsubscribe me", "We closed the mailing list."
  if (/\b(?:i|me|my|we|us|ich|mich|mir|wir|uns|moi|nous|yo|nos|ik|mij|jag|mig|jeg|meg)\b/.test(bare))
    return false
  return /mailing list|mailingliste|mailinglijst|liste de diffusion|listinfo|unsubscribe|mailman/.test(bare)
}

/** Removes a rule between the sender's words and what follows, or the dashes before a marked signature. */
export function trimRule(lines: readonly string[], from: number, to: number): number {
  if (to >= lines.length) return to
  const end = trimBlank(lines, from, to)
  const last = lines[end - 1] ?? ''
  const isDrawn = end - 1 > from && last.length < 200 && /^\s?(?:-{2,}|_{5,})\s?$/.test(last)
  return isDrawn ? trimBlank(lines, from, end - 1) : end
}
