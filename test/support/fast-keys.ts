import { shuffle } from './random.ts'

/** What the screen names when a key goes down. */
export interface Screen {
  /** The threads of the list, from top to bottom. */
  rows: string[]
  marked: string[]
  open: string | null
}

export interface Press {
  key: string
  at: number
  before: Screen
  /** Once the page has handled the key. */
  after: Screen
  /** Whether it has acted on threads by then. */
  acted: boolean
}

/** What the page did; `press` counts the keys pressed by then. */
export type Deed =
  | { type: 'act'; press: number; ids: string[]; effect: string }
  | { type: 'note'; press: number; thread: string; text: string }
  /** All that a field of this thread holds. */
  | { type: 'text'; press: number; thread: string | null; field: string; text: string }

export interface Account {
  presses: Press[]
  deeds: Deed[]
}

/** Answers are delayed by one of `delays` each; this share of reads of threads and of changes is refused. */
export interface Weather {
  seed: number
  delays: readonly number[]
  refused: number
}

/** Runs in the page, before its own scripts: delays answers, and writes down keys and what they do. */
export function watchKeys({ seed, delays, refused }: Weather): string {
  return `(() => {
  let state = ${seed}
  const random = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  const delays = ${JSON.stringify(delays)}
  const held = new Set()
  let isCalm = false
  const watch = (globalThis.fastKeys = {
    presses: [],
    deeds: [],
    waiting: 0,
    hasBegun: false,
    calm() {
      isCalm = true
      for (const release of held) release()
    },
  })
  const tell = (deed) => watch.deeds.push({ ...deed, press: watch.presses.length })
  const wait = (time) =>
    isCalm || time === 0
      ? undefined
      : new Promise((resolve) => {
          const release = () => (held.delete(release), resolve())
          held.add(release)
          setTimeout(release, time)
        })
  const effectOf = ({ type, status, to }) => (type === 'status' ? status : type === 'assign' ? (to ? 'assigned' : 'unassigned') : type)
  const { fetch } = globalThis
  globalThis.fetch = async (path, options = {}) => {
    const { method = 'GET', body } = options
    const [, thread] = /^[/]app[/]api[/]threads[/](thr_\\w+)[/]notes$/.exec(path) ?? []
    const isBulk = path === '/app/api/threads/bulk'
    if (isBulk) {
      const { ids, action } = JSON.parse(body)
      tell({ type: 'act', ids, effect: effectOf(action) })
    }
    if (method === 'POST' && thread) tell({ type: 'note', thread, text: JSON.parse(body).text })
    const mayFail = isBulk || /^[/]app[/]api[/]threads[/]thr_\\w+[?]/.test(path)
    const isRefused = watch.hasBegun && !isCalm && mayFail && random() < ${refused}
    const delay = watch.hasBegun ? delays[Math.floor(random() * delays.length)] : 0
    watch.waiting++
    try {
      const answer = isRefused
        ? Response.json({ statusCode: 503, code: 'unavailable', message: 'Not now.', requestId: 'refused' }, { status: 503 })
        : await fetch(path, options)
      await wait(delay)
      return answer
    } finally {
      // The page reads the answer first.
      setTimeout(() => watch.waiting--)
    }
  }
  const openThread = () => /[/](thr_\\w+)/.exec(location.pathname)?.[1] ?? null
  const look = () => {
    const rows = [...document.querySelectorAll('.row:has(a[href*="thr_"])')]
    const idOf = (row) => /thr_\\w+/.exec(row.querySelector('a').getAttribute('href'))[0]
    return {
      rows: rows.map(idOf),
      marked: rows.filter((row) => row.querySelector('.pick input')?.checked).map(idOf),
      open: openThread(),
    }
  }
  addEventListener('keydown', (event) => {
    if (!event.isTrusted || ['Shift', 'Control'].includes(event.key)) return
    const press = { key: event.key, at: event.timeStamp, before: look(), after: null, acted: false }
    const { length } = watch.deeds
    watch.presses.push(press)
    const end = () => {
      if (press.after) return
      press.after = look()
      press.acted = watch.deeds.slice(length).some(({ type }) => type === 'act')
      removeEventListener('keydown', end)
    }
    // After the page's own listener.
    addEventListener('keydown', end)
    setTimeout(end)
  }, { capture: true })
  addEventListener('input', ({ target }) => {
    const field = target.closest('.draft') ? 'draft' : target.closest('.notes') ? 'note' : target.className || 'other'
    tell({ type: 'text', thread: openThread(), field, text: target.value })
  }, { capture: true })
})()`
}

const sentences = [
  'me too, exactly',
  'just exchange it, please',
  'see you in June',
  'Kim is right',
  'the box was empty #4711',
]

/** Keys as quick people press them. A text that follows `r` or `n` is one string; Enter and Escape have their names. */
export function makeSequence(random: () => number): string[] {
  const one = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!
  const times = (most: number, ...keys: string[]): string[] =>
    Array.from({ length: 1 + Math.floor(random() * most) }, () => keys).flat()
  const act = (): string => one(['e', 'e', 'e', 'm', '#', 'u', 'E'])
  const sometimes = (...keys: string[]): string[] => (random() < 0.5 ? keys : [])
  const habits: (() => string[])[] = [
    () => [...times(3, 'j', 'x'), ...sometimes('j'), act()],
    () => [...times(3, 'j', 'x'), ...sometimes('j'), act()],
    () => [...times(2, 'j'), ...times(2, 'J'), ...sometimes('k'), act()],
    () => [...times(3, 'j'), ...sometimes('k'), act()],
    () => [...sometimes('j'), 'r', one(sentences), 'Escape'],
    () => [...sometimes('j'), 'n', one(sentences), 'Enter', 'Escape'],
    () => [one(['k', 'K', 'x', 'Escape', 'j', 'J'])],
    () => times(2, act()),
  ]
  return shuffle([...habits, one(habits), one(habits)], random)
    .slice(0, 4)
    .flatMap((habit) => habit())
}
