import { posix } from 'node:path'
import type { FileText } from '../../model/files/file-text.ts'
import { readPlain } from '../normal-form.ts'
import { cut } from './cut.ts'
import { Archive } from './docx/archive.ts'
import { Body } from './docx/body.ts'
import { Styles } from './docx/looks.ts'
import { Theme } from './docx/theme.ts'
import { childOf, parseXml, type Element } from './docx/xml.ts'
import { describeSight } from './sight.ts'

/** Maximum unpacked bytes, as the archive's directory states them. */
const mostUnpacked = 20_000_000

export function readDocx(bytes: Uint8Array): FileText {
  try {
    const archive = new Archive(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
    if (archive.unpacked > mostUnpacked) return unreadable('This file takes too much work to read.')
    const body = readDocument(archive)
    const note = describeSight([body], 0)
    const { text } = readPlain(body.text)
    return cut('docx', text.replaceAll(/\n{3,}/g, '\n\n').trim(), note === '' ? null : note)
  } catch {
    return unreadable('This file is damaged, so it cannot be read.')
  }
}

function unreadable(note: string): FileText {
  return { kind: 'docx', text: null, note }
}

function readDocument(archive: Archive): Body {
  const main = relatedTo(archive, '')('officeDocument')[0] ?? 'word/document.xml'
  const related = relatedTo(archive, main)
  const part = (type: string): Element | null => {
    const source = archive.read(related(type)[0] ?? '')
    return source === null ? null : parseXml(source)
  }
  const document = parseXml(archive.read(main) ?? '')
  const body = new Body(new Styles(part('styles'), new Theme(part('theme'))))
  // Whether Word shows a ground of the page depends on its settings.
  body.read(document, childOf(document, 'w:background') ? null : 'ffffff')
  const notes = { 'w:footnote': part('footnotes'), 'w:endnote': part('endnotes') }
  // A note may refer to others.
  for (const { kind, id } of body.notes.slice()) {
    const found = notes[kind]?.children.find(
      (child) => typeof child !== 'string' && child.name === kind && child.attributes['w:id'] === id,
    )
    if (found && typeof found !== 'string') body.read(found)
  }
  return body
}

/** The parts that a part refers to, by the end of their type. */
function relatedTo(archive: Archive, part: string): (type: string) => string[] {
  const { dir, base } = posix.parse(part)
  const source = archive.read(posix.join(dir, '_rels', `${base}.rels`))
  const relations = source === null ? [] : parseXml(source).children
  return (type) =>
    relations.flatMap((relation) => {
      if (typeof relation === 'string' || !relation.attributes['Type']?.endsWith(`/${type}`)) return []
      const target = relation.attributes['Target'] ?? ''
      return [target.startsWith('/') ? target.slice(1) : posix.join(dir, target)]
    })
}
