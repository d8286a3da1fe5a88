import type { RefObject } from 'preact'
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { isUnderlined, lit } from '../mail/citations.ts'
import { texts } from '../page/texts.ts'
import type { DraftEditor } from './editor.ts'
import { attachFiles, readPasted } from './files.tsx'
import { cutAtMarks, findMarks } from '../mail/marks.ts'

/**
 * The text, edited in place. The highlights are in a copy of the text exactly behind the field, which also gives the
 * field its height.
 */
export function DraftText({
  editor,
  open,
  fieldRef,
}: {
  editor: DraftEditor
  open: boolean
  fieldRef: RefObject<HTMLTextAreaElement | null>
}) {
  const { text } = editor.fields.value
  const draft = editor.draft.value
  const behind = useRef<HTMLDivElement>(null)
  useKeptCursor(fieldRef.current, text)
  const shown = draft?.citations.filter(isUnderlined) ?? []
  const segments = useMemo(
    () => cutAtMarks(text, draft ? findMarks(text, draft, (each) => shown.includes(each)) : []),
    [text, draft?.citations, draft?.unsupported, shown.length],
  )
  const point = (x: number, y: number): void => {
    const marks = [...(behind.current?.querySelectorAll<HTMLElement>('mark.cite') ?? [])]
    const hit = marks.find((mark) =>
      [...mark.getClientRects()].some(
        (box) => x >= box.left && x <= box.right && y >= box.top && y <= box.bottom,
      ),
    )
    lightUp(hit ? Number(hit.dataset['citation']) : null)
  }
  const lightUp = (citation: number | null): void => {
    const now = citation === null ? null : (draft?.citations[citation] ?? null)
    if (now !== lit.value) lit.value = now
  }
  const atCaret = (at: number): void => {
    let start = 0
    for (const { text: part, mark } of segments) {
      if (at >= start && at <= start + part.length && mark?.kind === 'cite') return lightUp(mark.citation)
      start += part.length
    }
    lightUp(null)
  }
  return (
    <div
      class="text"
      onPointerMove={(event) => point(event.clientX, event.clientY)}
      onPointerLeave={() => lightUp(null)}
    >
      <div class="text-copy" ref={behind} aria-hidden={open ? 'true' : undefined}>
        {segments.map(({ text: part, mark }, index) =>
          mark ? (
            <mark
              key={index}
              class={mark.kind === 'cite' ? 'cite' : 'un'}
              data-citation={mark.citation ?? undefined}
            >
              {part}
            </mark>
          ) : (
            part
          ),
        )}
        {'\n'}
      </div>
      {open && (
        <textarea
          ref={fieldRef}
          value={text}
          aria-label={texts.draft.text}
          spellcheck
          onInput={(event) => editor.change({ text: event.currentTarget.value })}
          onKeyUp={(event) => atCaret(event.currentTarget.selectionStart)}
          onPaste={(event) => {
            const { files, text } = readPasted(event.clipboardData)
            if (files.length === 0 && text === '') return
            event.preventDefault()
            if (files.length > 0) void attachFiles(editor, files)
            // Can be taken back like all that is typed.
            else document.execCommand('insertText', false, text)
          }}
        />
      )}
    </div>
  )
}

/** The browser puts the cursor at the end when somebody else's edit replaces the text. */
function useKeptCursor(field: HTMLTextAreaElement | null, text: string): void {
  const before = field?.value ?? text
  const isReplaced = before !== text && field === document.activeElement
  const selection = isReplaced ? [field!.selectionStart, field!.selectionEnd] : null
  useLayoutEffect(() => {
    if (selection)
      field!.setSelectionRange(...(selection.map((at) => movedTo(before, text, at)) as [number, number]))
  }, [text])
}

/** Where a place in the text is after an edit before or behind it. */
function movedTo(before: string, text: string, at: number): number {
  if (text.startsWith(before.slice(0, at))) return at
  return text.endsWith(before.slice(at)) ? text.length - (before.length - at) : Math.min(at, text.length)
}

/** What is sent below the text: signature and quoted mail. */
export function Tail({ editor }: { editor: DraftEditor }) {
  const tail = editor.tail.value?.trim()
  if (!tail) return null
  return (
    <details class="tail">
      <summary>••• {texts.draft.goesToo}</summary>
      <div class="mail-text">{tail}</div>
    </details>
  )
}
