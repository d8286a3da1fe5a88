import { useSignal, type Signal } from '@preact/signals'
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import type { MessageEntry } from '../../../src/model/history.ts'
import { urlOf } from '../page/api.ts'
import { Avatar } from '../controls/avatar.tsx'
import { Icon } from '../controls/icon.tsx'
import { lazy } from '../controls/lazy.tsx'
import { Menu, MenuItem } from '../controls/menu.tsx'
import { nameOf } from './address.ts'
import { fullTime, messageTime } from '../page/times.ts'
import { texts } from '../page/texts.ts'
import { foundWords } from '../search/found-words.ts'
import { askedPerson } from '../threads/asked-person.ts'
import { citedBy, lit, setUnderlined } from './citations.ts'
import { examineHtml, isFormatted } from './document.ts'
import { MailFrame } from './frame.tsx'
import { useRemotePictures } from './pictures.ts'
import { MessageText } from './text.tsx'
import { texts as ownTexts } from './texts.ts'
import { Details, Verdict } from './verdict.tsx'

/** One mail, inbound or outbound. Older ones are collapsed to one line. */
export function Message({ message, folded: startsFolded }: { message: MessageEntry; folded: boolean }) {
  const words = foundWords.value
  const isFound = useMemo(() => words?.isIn(message.text) ?? false, [words?.key, message.text])
  const opened = useSignal(!startsFolded || isFound)
  const box = useRef<HTMLElement>(null)
  const isLit = lit.value?.messageId === message.id
  useEffect(() => {
    if (!isLit) return
    opened.value = true
    requestAnimationFrame(() =>
      (box.current?.querySelector('mark.lit') ?? box.current)?.scrollIntoView({ block: 'nearest' }),
    )
  }, [isLit, lit.value?.quote])
  const isCited = citedBy(message.id).length > 0
  useEffect(() => {
    if (isCited || isFound) opened.value = true
  }, [isCited, isFound])
  const name = nameOf(message.from)
  const calendar = message.attachments.find(({ contentType }) => /^text\/calendar\b/i.test(contentType))
  const files = message.attachments.filter(({ inline }) => !inline)
  const asHtml = useSignal(message.html !== null && isFormatted(message.html))
  if (!opened.value)
    return (
      <button type="button" class="msg one-line line" onClick={() => (opened.value = true)}>
        <Avatar name={name} />
        <b>{name}</b>
        <span class="cut">{message.newText.slice(0, 160)}</span>
        <time dateTime={message.timestamp}>{messageTime(message.timestamp)}</time>
      </button>
    )
  return (
    <article
      class={`msg ${message.direction} ${isLit ? 'lit' : ''} ${isFound ? 'has-hit' : ''}`}
      ref={box}
      id={message.id}
    >
      <header>
        <Avatar name={name} />
        <div class="who">
          <div class="who-line line">
            <Sender message={message} /> {message.from.name && <small>{message.from.address}</small>}
            <Verdict message={message} />
          </div>
          <Details message={message}>
            <small class="cut">
              {texts.message.to} {message.to.map(nameOf).join(', ')}
              {message.cc.length > 0 && ` · ${texts.message.cc} ${message.cc.map(nameOf).join(', ')}`}
              {message.sentBy && ` · ${texts.message.sentBy(message.sentBy.name)}`}
            </small>
          </Details>
        </div>
        <time dateTime={message.timestamp} title={fullTime(message.timestamp)}>
          {messageTime(message.timestamp)}
        </time>
        <More message={message} asHtml={asHtml} />
      </header>
      {calendar && <InvitationCard id={calendar.id} />}
      <Body message={message} asHtml={asHtml.value} />
      {files.length > 0 && <Attachments files={files} />}
    </article>
  )
}

/** Opens the details of the sender beside the thread. */
function Sender({ message: { from, direction } }: { message: MessageEntry }) {
  const name = <b>{nameOf(from)}</b>
  if (direction === 'outbound') return name
  return (
    <button
      type="button"
      class="sender"
      aria-label={ownTexts.about(nameOf(from))}
      onClick={() => (askedPerson.value = from)}
    >
      {name}
    </button>
  )
}

/** Nothing is said if it cannot be loaded: the mail says the same in words. */
const Attachments = lazy(async () => (await import('./attachments.tsx')).Attachments)
const InvitationCard = lazy(
  async () => (await import('./invitation.tsx')).InvitationCard,
  () => null,
)

function More({ message, asHtml }: { message: MessageEntry; asHtml: Signal<boolean> }) {
  return (
    <Menu label={texts.message.more} quiet button={<Icon name="more" />}>
      {(close) => (
        <>
          {message.html !== null && (
            <MenuItem onChoose={() => (close(), (asHtml.value = !asHtml.value))}>
              {asHtml.value ? texts.message.asText : texts.message.asHtml}
            </MenuItem>
          )}
          <a
            role="menuitem"
            class="menu-item"
            href={urlOf(`/messages/${message.id}/source`)}
            target="_blank"
            rel="noopener"
          >
            {texts.message.source}
          </a>
        </>
      )}
    </Menu>
  )
}

function Body({ message, asHtml }: { message: MessageEntry; asHtml: boolean }) {
  const { html, text, newText } = message
  const parts = useMemo(() => (html === null ? null : examineHtml(html)), [html])
  // Starts unfolded if the search words are only in the quoted text.
  const words = foundWords.value
  const folded = useSignal(!words || words.isIn(newText) || !words.isIn(text))
  const sought = useRef(new Set<string>())
  const wantsPictures = useSignal(false)
  const remoteCount = parts?.remote ?? 0
  const remote = useRemotePictures(message.id, remoteCount, wantsPictures.value)
  const cited = citedBy(message.id)
  const framed = asHtml && html !== null
  useLayoutEffect(() => () => setUnderlined(message.id, []), [message.id])
  const onUnderlined = (quotes: readonly string[]): void => {
    setUnderlined(message.id, quotes)
    // Unfolds text that a draft cites, but only once: the user may fold it again.
    if (cited.some((quote) => !quotes.includes(quote) && !sought.current.has(quote))) folded.value = false
    for (const quote of cited) sought.current.add(quote)
  }
  const canFold = framed ? parts!.hasQuote : text.trim() !== newText.trim()
  return (
    <>
      {framed && remoteCount > 0 && !wantsPictures.value && (
        <p class="remote">
          {texts.message.images}{' '}
          <button type="button" class="link" onClick={() => (wantsPictures.value = true)}>
            {texts.message.showImages}
          </button>
        </p>
      )}
      {framed && wantsPictures.value && remote.loaded.size < remoteCount && (
        <p class="remote" role="status">
          {remote.isDone
            ? texts.message.imagesFailed(remoteCount - remote.loaded.size)
            : texts.message.loadingImages}
        </p>
      )}
      {framed ? (
        <MailFrame
          html={html}
          name={nameOf(message.from)}
          folded={folded.value}
          cited={cited}
          remote={remote.loaded}
          onUnderlined={onUnderlined}
        />
      ) : (
        <MessageText
          text={folded.value ? newText : text}
          cited={cited}
          lit={lit.value?.messageId === message.id ? lit.value.quote : null}
          onUnderlined={onUnderlined}
        />
      )}
      {canFold && (
        <button
          type="button"
          class="fold"
          aria-expanded={!folded.value}
          onClick={() => (folded.value = !folded.value)}
        >
          {folded.value ? `••• ${foldedLabel(message, framed)}` : texts.message.hideQuoted}
        </button>
      )}
    </>
  )
}

function foldedLabel({ text }: MessageEntry, framed: boolean): string {
  return !framed && /^-- ?$/m.test(text) ? texts.message.signature : texts.message.quoted
}
