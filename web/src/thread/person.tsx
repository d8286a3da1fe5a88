import { useEffect } from 'preact/hooks'
import type { OpenThread, ThreadRow } from '../../../src/model/work.ts'
import { Avatar } from '../controls/avatar.tsx'
import { texts as mailTexts } from '../mail/texts.ts'
import { placePath } from '../page/router.ts'
import { texts as pageTexts } from '../page/texts.ts'
import { fullTime, shortTime } from '../page/times.ts'
import { askedPerson } from '../threads/asked-person.ts'
import { personOf, showThreadsOf, threadsOf } from '../threads/person.ts'
import { notesOpen } from './notes-open.ts'
import { texts } from './texts.ts'

const shown = 5

/** The other party of a thread, and the other threads they started. */
export function Person({ thread }: { thread: OpenThread }) {
  const asked = askedPerson.value
  const { name, address } = asked ?? personOf(thread)
  useEffect(() => showThreadsOf(address), [address])
  useEffect(() => {
    if (asked) notesOpen.value = true
  }, [asked])
  useEffect(() => () => void (askedPerson.value = null), [thread.id])
  const threads = threadsOf(address).value
  const [open, earlier] = [threads?.open ?? [], threads?.earlier ?? []].map((list) =>
    list.filter(({ id }) => id !== thread.id).slice(0, shown),
  )
  return (
    <section class="person" aria-label={mailTexts.about(name || address)}>
      <div class="person-name line">
        <Avatar name={name || address} />
        <div>
          <b>{name || address}</b>
          {name && <small>{address}</small>}
        </div>
      </div>
      <Threads title={texts.open} rows={open!} />
      <Threads title={texts.earlier} rows={earlier!} />
      {threads !== null && open!.length + earlier!.length === 0 ? (
        <p class="quiet-text">{texts.noOthers}</p>
      ) : (
        <a class="link" href={placePath({ type: 'search', q: address })}>
          {texts.all}
        </a>
      )}
    </section>
  )
}

function Threads({ title, rows }: { title: string; rows: readonly ThreadRow[] }) {
  if (rows.length === 0) return null
  return (
    <>
      <h2>{title}</h2>
      <ul>
        {rows.map(({ id, subject, status, timestamp }) => (
          <li key={id}>
            <a href={placePath({ type: 'view', view: status }, id)} title={fullTime(timestamp)}>
              <span class="cut">{subject || pageTexts.list.noSubject}</span>
              <small>{shortTime(timestamp)}</small>
            </a>
          </li>
        ))}
      </ul>
    </>
  )
}
