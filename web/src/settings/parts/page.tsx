import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Icon } from '../../controls/icon.tsx'
import { texts as pageTexts } from '../../page/texts.ts'
import { title as pageTitle } from '../../page/title.ts'
import { texts } from './texts.ts'
import type { Answer } from './answer.ts'

/** One settings page. Its heading gets the focus, so that keyboard users continue from there. */
export function Page({
  title,
  lead,
  up = '/settings',
  wide = false,
  children,
}: {
  title: string
  lead?: ComponentChildren
  /** Where Back leads; shown on narrow screens, and always on subpages. */
  up?: string
  wide?: boolean
  children: ComponentChildren
}) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  useEffect(() => {
    pageTitle.value = `${title} · ${pageTexts.name}`
  }, [title])
  return (
    <section class={wide ? 'settings-page broad' : 'settings-page'} aria-label={title}>
      <header>
        <a class={up === '/settings' ? 'btn quiet back' : 'btn quiet back always'} href={up}>
          <Icon name="back" />
          <span class="hidden">{texts.back}</span>
        </a>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
      </header>
      {lead && <p class="lead">{lead}</p>}
      {children}
    </section>
  )
}

export function Card({
  title,
  hint,
  extra,
  children,
}: {
  title: string
  hint?: ComponentChildren
  extra?: ComponentChildren
  children?: ComponentChildren
}) {
  return (
    <section class="card">
      <header>
        <div>
          <h2>{title}</h2>
          {hint && <p class="hint">{hint}</p>}
        </div>
        {extra}
      </header>
      {children}
    </section>
  )
}

/** Content once loaded, or the error; no spinner at first. */
export function Loaded<Value>({
  answer,
  children,
}: {
  answer: Answer<Value>
  children: (value: Value) => ComponentChildren
}) {
  if (answer.value !== null) return <>{children(answer.value)}</>
  if (answer.problem === null)
    return <div class="loading" role="status" aria-busy="true" aria-label={texts.loading} />
  return (
    <div class="card" role="alert">
      <p class="wrong">{answer.problem}</p>
      <button type="button" class="btn" onClick={() => void answer.reload()}>
        {texts.again}
      </button>
    </div>
  )
}

/** Something just created and usually shown only once: scrolled into view, wherever the form was. */
export function Made({ children }: { children: ComponentChildren }) {
  const shown = useRef<HTMLDivElement>(null)
  useEffect(() => {
    shown.current?.focus({ preventScroll: true })
    shown.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <div class="made" role="status" tabIndex={-1} ref={shown}>
      {children}
    </div>
  )
}

/** Shown when a list is empty. */
export function Nothing({ children }: { children: ComponentChildren }) {
  return <p class="none-yet">{children}</p>
}
