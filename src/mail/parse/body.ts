import { isMultipart, type Part } from './parts.ts'

/** Which parts are shown as text, and which are attachments. */
export interface Body {
  /** Text and HTML parts in their order. */
  shown: Part[]
  /** Plain parts that say, or claim to say, the same as HTML parts that are shown. */
  alternatives: { plain: Part[]; html: Part[] }[]
  files: Part[]
}

const textTypes = new Set(['text/plain', 'text/html'])

/** Variants that some senders add for more capable clients; nobody reads or saves them unless there is nothing else. */
const unseenAlternatives = new Set(['text/x-amp-html', 'text/watch-html', 'text/enriched', 'text/richtext'])

export function chooseBody(root: Part): Body {
  const body = collect(root)
  return body.shown.length > 0 || isMultipart(root) || !canBeText(root)
    ? body
    : { ...body, shown: [root], files: [] }
}

/** A single part of an unknown text type is better shown than offered as a download. */
function canBeText(part: Part): boolean {
  const { value } = part.contentType
  return value.startsWith('text/') && value !== 'text/calendar' && !isAttached(part) && !hasName(part)
}

function collect(part: Part): Body {
  if (part.children.length === 0) return collectLeaf(part)
  switch (part.contentType.value) {
    case 'multipart/alternative':
      return collectAlternative(part)
    case 'multipart/related':
      return collectRelated(part)
    default:
      return collectMixed(part)
  }
}

function collectLeaf(part: Part): Body {
  const isShown = isMultipart(part) || (textTypes.has(part.contentType.value) && !isAttached(part))
  if (isShown) return { shown: [part], alternatives: [], files: [] }
  return { shown: [], alternatives: [], files: [part] }
}

/** The first text is the message itself, even with a file name; a later one with a name is an attachment. */
function collectMixed(part: Part): Body {
  const body: Body = { shown: [], alternatives: [], files: [] }
  for (const child of part.children) {
    const inner = collect(child)
    const isFile = body.shown.length > 0 && child.children.length === 0 && hasName(child)
    if (isFile) body.files.push(child)
    else append(body, inner)
  }
  return body
}

/** The last is the richest. HTML is shown; the plain text is compared with it. */
function collectAlternative(part: Part): Body {
  const usual = part.children.filter((child) => !unseenAlternatives.has(child.contentType.value))
  const choices = (usual.length > 0 ? usual : part.children).map(collect)
  const rich = choices.findLast(({ shown }) => shown.some(isHtml))
  const plain = choices.findLast(({ shown }) => shown.length > 0 && !shown.some(isHtml))
  const alternatives = choices.flatMap((choice) => choice.alternatives)
  if (rich && plain) alternatives.push({ plain: plain.shown, html: rich.shown.filter(isHtml) })
  return { shown: (rich ?? plain)?.shown ?? [], alternatives, files: choices.flatMap(({ files }) => files) }
}

/** One root, named by `start` or else the first, and the parts it refers to. */
function collectRelated(part: Part): Body {
  const start = part.contentType.parameters.get('start')
  const isNamed = ({ header }: Part) => start !== undefined && header.get('content-id')?.[0] === start
  const root = part.children.find(isNamed) ?? part.children[0]!
  const body: Body = { shown: [], alternatives: [], files: [] }
  for (const child of part.children) {
    if (child === root || child.children.length > 0) append(body, collect(child))
    else body.files.push(child)
  }
  return body
}

function append(body: Body, inner: Body): void {
  body.shown.push(...inner.shown)
  body.alternatives.push(...inner.alternatives)
  body.files.push(...inner.files)
}

export const isHtml = (part: Part) => part.contentType.value === 'text/html'

const isAttached = (part: Part) => part.disposition.value === 'attachment'

const hasName = ({ disposition, contentType }: Part) =>
  disposition.parameters.has('filename') || contentType.parameters.has('name')
