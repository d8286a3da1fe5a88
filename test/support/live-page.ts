import { AssertionError } from 'node:assert'
import { checkLiveEvent } from './contract.ts'
import type { TestSpool } from './spool.ts'

export interface Told {
  id: string | null
  event: string
  data: unknown
}

/** Reads the page's live stream: server-sent events, parsed as a browser does. */
export interface LivePage extends AsyncDisposable {
  status: number
  headers: Headers
  /** Events received but not yet taken with `next`. */
  heard: Told[]
  /** Waits for the next event of this type and removes it from `heard`; null once the server has ended the stream. */
  next(event?: string): Promise<Told | null>
  /** Resolves when the stream has ended. */
  ended: Promise<void>
}

export async function openLive(
  spool: Pick<TestSpool, 'url'>,
  cookie: string,
  { query = '', lastEventId }: { query?: string; lastEventId?: string } = {},
): Promise<LivePage> {
  const gone = new AbortController()
  const response = await fetch(`${spool.url}/app/api/live${query}`, {
    headers: { cookie, ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }) },
    signal: gone.signal,
  })
  const heard: Told[] = []
  let over = false
  let broken: AssertionError | null = null
  let wake = (): void => undefined
  const ended = (async () => {
    let rest = ''
    try {
      for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
        const blocks = (rest + piece).split('\n\n')
        rest = blocks.pop()!
        for (const block of blocks) heard.push(...readBlock(block))
        wake()
      }
    } catch (error) {
      // Any other error means the test closed the stream.
      if (error instanceof AssertionError) broken = error
    }
    over = true
    wake()
  })()
  return {
    status: response.status,
    headers: response.headers,
    heard,
    ended,
    async next(event = 'message') {
      for (;;) {
        const found = heard.findIndex((told) => told.event === event)
        if (found >= 0) return heard.splice(found, 1)[0]!
        if (broken) throw broken
        if (over) return null
        await new Promise<void>((resolve) => (wake = resolve))
      }
    },
    async [Symbol.asyncDispose]() {
      gone.abort()
      await ended
      if (broken) throw broken
    },
  }
}

function readBlock(block: string): Told[] {
  const told: Told = { id: null, event: 'message', data: null }
  let data = ''
  for (const line of block.split('\n')) {
    const [, field, value] = /^(\w*): ?(.*)$/.exec(line) ?? []
    if (field === 'id') told.id = value!
    if (field === 'event') told.event = value!
    if (field === 'data') data += value
  }
  if (data === '') return []
  told.data = JSON.parse(data)
  checkLiveEvent(told.event, told.data)
  return [told]
}
