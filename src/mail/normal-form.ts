/**
 * One document for people and programs. A mail's HTML is converted once into a normal form. Both the HTML that the page
 * shows and the plain text are written from it, so nothing can be hidden from one and not from the other.
 */

import { countText, removeInvisible, type Cleaned } from '../model/invisible.ts'
import type { MailLink } from '../model/mail/mail.ts'
import { parseDocument } from './html-document.ts'
import { rootStyle } from './normal-form/css/style.ts'
import { settleDirection } from './normal-form/direction.ts'
import { markFolds } from './normal-form/fold.ts'
import { fitTables } from './normal-form/fit.ts'
import { boundEmptyLines, boundGaps } from './normal-form/gap.ts'
import { HtmlWriter } from './normal-form/html.ts'
import { goneBefore, judgeInk } from './normal-form/ink.ts'
import { findLinks } from './normal-form/links.ts'
import { findMarks, type Mark } from './normal-form/marks.ts'
import type { InlineImage } from './normal-form/picture.ts'
import { readForm } from './normal-form/reader.ts'
import { writeText } from './normal-form/text.ts'
import { makeBox, makeBreak, type Box } from './normal-form/tree.ts'
import { Unseen } from './normal-form/unseen.ts'
import { addWords } from './normal-form/words.ts'

export interface NormalForm {
  text: string
  /** What the sender's mail program says about lines of `text`. */
  marks: readonly Mark[]
  /** Characters left out because they are invisible, not counting white space. */
  hiddenCharacters: number
  /** How many of these go beyond what mail usually hides. */
  unusualCharacters: number
  /** Writes the form as HTML, with the lines that are not new marked for folding. */
  writeHtml: (isNew: (line: number) => boolean) => string
  /** The links in the HTML. */
  links: MailLink[]
}

export function readHtml(source: string, inlineImage: InlineImage = () => null): NormalForm {
  const { root, unseen } = readForm(parseDocument(source), inlineImage)
  leaveOutInk(root, unseen)
  unseen.addBehind(boundGaps(root))
  settleDirection(root)
  fitTables(root)
  // Before the text of the whole, because writing text notes the line of each word.
  const links = findLinks(root)
  return {
    text: writeText(root),
    hiddenCharacters: unseen.characters,
    unusualCharacters: unseen.unusual,
    marks: findMarks(root),
    writeHtml: (isNew) => writeMarked(root, source, isNew),
    links,
  }
}

function leaveOutInk(root: Box, unseen: Unseen): void {
  const gone = judgeInk(root)
  if (gone === 0) return
  const { text } = goneBefore(root)
  unseen.addHidden(text, root)
  unseen.characters += gone - countText(text)
}

function writeMarked(root: Box, source: string, isNew: (line: number) => boolean): string {
  markFolds(root, isNew)
  root.folded = false
  return new HtmlWriter(source).write(root)
}

/** The form of a plain-text part, without invisible characters; each of its lines is a line of the form. */
export function readPlainForm(plain: string): NormalForm {
  const cleaned = cleanPlain(plain)
  const { text, behind } = boundEmptyLines(cleaned.text)
  const unseen = new Unseen()
  unseen.addRemoved(cleaned, plain)
  unseen.addBehind(behind)
  const hiddenCharacters = unseen.characters
  return {
    text,
    marks: [],
    hiddenCharacters,
    // Invisible characters are usual around words, not instead of them.
    unusualCharacters: text.trim() === '' ? hiddenCharacters : unseen.unusual,
    writeHtml(isNew) {
      const root = makeBox('div', 'block', { ...rootStyle, spaces: 'keep' })
      for (const [at, line] of text.split('\n').entries()) {
        if (at > 0) root.children.push(makeBreak(true))
        addWords(root, line, root.style)
        const words = root.children.at(-1)
        if (line.trim() !== '' && words?.kind === 'words') words.line = at
      }
      judgeInk(root)
      return writeMarked(root, plain, isNew)
    },
    links: [],
  }
}

export function readPlain(plain: string): Pick<NormalForm, 'text' | 'hiddenCharacters'> {
  const { text, removed } = cleanPlain(plain)
  return { text, hiddenCharacters: removed }
}

function cleanPlain(plain: string): Cleaned {
  const lines = plain.replaceAll(/\r\n?|[\v\f\u2028\u2029\u0085]/g, '\n')
  return removeInvisible(lines, 'mail')
}
