/** Whether the plain part of a mail says something other than its HTML part shows. */

import { normalForm } from '../../model/normal-form.ts'

/** Longer parts are compared by their beginnings. */
const longest = 200_000

/** Words of lines that only one of the parts has: "view in browser", "this message is in HTML", link markers. */
const customary = new Set(
  (
    'a an and are as at be been browser can cannot click client compatible contains content copy copyright couldn ' +
    'display displayed displaying does don doesn email emails enable following for format formatted from have having ' +
    'here html http https if image images in into is isn it link links logo mail mailto message multi multipart my ' +
    'mime newsletter no not of on online open or page part paste picture please plain preferences problem problems ' +
    'program properly read reader reading rights reserved see sent show shown software subscription support ' +
    'supported supports t tel text that the this to trouble unable unsubscribe update use using version via view ' +
    'viewer viewing visit web webpage website with www you your ' +
    'diese dieser nachricht mail ist im html format ihr ihre programm anzeigen ansicht browser ansehen online nicht ' +
    'richtig dargestellt wird klicken sie hier abmelden bild link um zu die der das den und oder wenn kann werden ' +
    'ce cet cette est au format votre navigateur voir en ligne afficher cliquez ici si vous ne le la les pas lien ' +
    'este esta mensaje correo en formato ver navegador su haga clic aqui si no puede el los las enlace imagen'
  ).split(' '),
)

export function partsDiffer(plain: string, htmlText: string): boolean {
  const shown = wordsOf(htmlText)
  // In most mail both parts have exactly the same words.
  if (sameWords(shown, wordsOf(plain))) return false
  const words = new Set(shown)
  let pairs: Set<string> | null = null
  let total = 0
  let news = 0
  let shortNews = 0
  for (const sentence of sentencesOf(plain)) {
    const said = wordsOf(sentence)
    const fresh = said.filter((word) => !words.has(word) && !customary.has(word))
    total += said.length
    news += fresh.length
    if (said.length < 4) shortNews += fresh.length
    else if (saysNew(said, fresh, () => (pairs ??= pairsOf(shown)))) return true
  }
  return shortNews >= 6 || (news >= 2 && news >= total / 2)
}

function sameWords(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((word, at) => word === other[at])
}

/** Each word with the one before it. */
function pairsOf(words: readonly string[]): Set<string> {
  return new Set(words.slice(1).map((word, before) => `${words[before]} ${word}`))
}

/** `pairs` of the shown words are made only if they are needed. */
function saysNew(said: string[], fresh: string[], pairs: () => Set<string>): boolean {
  // A different amount or account number makes it a different message, however similar the words.
  if (fresh.some((word) => /\d{3}/.test(word))) return true
  if (fresh.length >= 2 && fresh.length >= said.length * 0.4) return true
  if (said.length < 8) return false
  let known = 0
  let telling = 0
  for (let at = 1; at < said.length; at += 1) {
    const [one = '', two = ''] = [said[at - 1], said[at]]
    if (customary.has(one) && customary.has(two)) continue
    telling += 1
    if (pairs().has(`${one} ${two}`)) known += 1
  }
  return telling >= 6 && known < telling * 0.4
}

/** Lines are wrapped anywhere, so sentences end at punctuation, at blank lines and at list markers. */
function sentencesOf(plain: string): string[] {
  return plain
    .slice(0, longest)
    .replaceAll(/\r\n?/g, '\n')
    .split(/\n[\s>]*\n|[.!?;]\s|[。！？؟।]|\n\s*(?:[-*•·+]|\d+[.)])\s/)
    .filter((sentence) => sentence.trim() !== '')
}

/** In scripts written without spaces, each character is a word. */
const word =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]|[\p{L}\p{M}\p{N}]+/gu

const notAscii = /[^\0-\x7f]/
const asciiWord = /[a-z0-9]+/g

function wordsOf(text: string): string[] {
  const start = text.slice(0, longest)
  const isAscii = !notAscii.test(start)
  let bare = (isAscii ? start : normalForm(start, 'NFKC')).toLowerCase()
  if (bare.includes('[')) bare = bare.replaceAll(/\[(?:image|cid)[^\]\n]{0,200}\]|\[\d{1,3}\]/g, ' ')
  if (bare.includes(':') || bare.includes('www.'))
    bare = bare.replaceAll(/\b(?:https?:\/\/|www\.|mailto:|tel:|cid:)[^\s<>()]+/g, ' ')
  bare = bare.replaceAll(/['’_]/g, '')
  return bare.match(isAscii ? asciiWord : word) ?? []
}
