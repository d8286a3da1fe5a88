import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect } from 'preact/hooks'
import { addressesOf } from '../../../src/model/mail/own-address.ts'
import { get, sentenceOf } from '../page/api.ts'
import { DraftCard } from './draft-card.tsx'
import { beginNew, editorOf } from './editors.ts'
import { inboxIdOf, type DraftEditor } from './editor.ts'
import { Icon } from '../controls/icon.tsx'
import { lazy } from '../controls/lazy.tsx'
import { place, placePath } from '../page/router.ts'
import { hasInbox, NoInbox } from '../session/inbox-state.ts'
import { session } from '../session/session.ts'
import { Presence } from '../threads/presence-chip.tsx'
import { lookAt } from '../threads/presence.ts'
import { useOpening } from '../page/typed-ahead.ts'
import { texts } from '../page/texts.ts'
import { wantsFocus } from './start.ts'

const From = lazy(async () => (await import('./from.tsx')).From)

interface ComposeAbout {
  draftId: string | null
  inbox: string | null
}

export function Compose(about: ComposeAbout) {
  return hasInbox() ? (
    <NewDraft {...about} />
  ) : (
    <ComposeFrame draftId={null}>
      <NoInbox />
    </ComposeFrame>
  )
}

/** The editor stays mounted when the server first saves it, so the cursor is kept. */
function NewDraft({ draftId, inbox }: ComposeAbout) {
  const editor = useSignal<DraftEditor | null>(null)
  const problem = useSignal<string | null>(null)
  useLayoutEffect(() => {
    problem.value = null
    let left = false
    const open = editor.value?.draft.value?.id ?? null
    if (draftId === null) {
      if (editor.value === null || open !== null) editor.value = begin(inbox)
    } else if (open !== draftId) {
      get(`/drafts/${draftId}`).then(
        (draft) => {
          if (!left) editor.value = editorOf(draft)
        },
        (error: unknown) => {
          if (!left) problem.value = sentenceOf(error)
        },
      )
    }
    return () => (left = true)
  }, [draftId])
  const now = editor.value
  const id = now?.draft.value?.id ?? null
  useEffect(() => lookAt(null, id), [id])
  const isOpen = now !== null && (draftId === null || id === draftId)
  useOpening(isOpen ? 'open' : problem.value !== null ? 'failed' : 'opening')
  const addresses = (session.value?.inboxes ?? []).flatMap(addressesOf).length
  return (
    <ComposeFrame draftId={id}>
      {problem.value && <p class="empty">{problem.value}</p>}
      {now && now.draft.value === null && addresses > 1 && <From key="from" editor={now} />}
      {now && <DraftCard key={now.key} editor={now} thread={null} />}
    </ComposeFrame>
  )
}

function ComposeFrame({ draftId, children }: { draftId: string | null; children: ComponentChildren }) {
  return (
    <section class="thread composing">
      <header class="head">
        <a class="btn quiet back always" href={placePath(place.value)} aria-label={texts.thread.back}>
          <Icon name="back" />
        </a>
        <h1>{texts.compose.title}</h1>
        {draftId !== null && <Presence id={draftId} />}
      </header>
      <div class="body">{children}</div>
    </section>
  )
}

function begin(inbox: string | null): DraftEditor {
  const inboxes = session.value?.inboxes ?? []
  const inboxId = inboxes.find(({ id }) => id === inbox)?.id ?? inboxes[0]?.id ?? ''
  const editor = beginNew(inboxId)
  // A mail restored from this device may have been begun for another inbox.
  const { from } = editor.fields.peek()
  const owners = inboxes.filter((each) => from !== null && addressesOf(each).includes(from))
  if (from !== null && !owners.some(({ id }) => id === inboxIdOf(editor))) {
    if (owners[0]) editor.beginning = { kind: 'new', inboxId: owners[0].id }
    else editor.change({ from: null })
  }
  wantsFocus.value = 'new'
  return editor
}
