import { AsyncLocalStorage } from 'node:async_hooks'
import type { ServerEvent, ServerEventBus } from '@modelcontextprotocol/server'
import type { MailWatch, ThreadChange, Watch } from '../core/log/mail-watch.ts'
import type { CallContext } from './call.ts'
import { hasResources, threadUri } from './resources.ts'
import type { McpRequest, Reply } from './transport.ts'

const beat = 15_000
/** Chunks a slow client may leave unread before its stream ends. */
const mostUnread = 1_000

/** Notifies agents of changes and new mail in their view: by `subscriptions/listen`, or a stream in older revisions. */
export class Subscriptions {
  readonly #watch: MailWatch
  readonly #current = new AsyncLocalStorage<{ watch: Watch; isUsed: boolean }>()

  constructor(watch: MailWatch) {
    this.#watch = watch
  }

  /** The SDK subscribes while it answers `subscriptions/listen`; each caller gets events of their own view only. */
  readonly bus: ServerEventBus = {
    publish: () => undefined,
    subscribe: (listener) => {
      const current = this.#current.getStore()
      if (!current) return () => undefined
      current.isUsed = true
      const { watch } = current
      watch.onChange = (change) => writeEvents(change).forEach(listener)
      return () => watch[Symbol.dispose]()
    },
  }

  /** Opens the watch before the request is answered, so that no change after the answer is missed. */
  async listen(
    request: McpRequest,
    context: CallContext,
    answer: (request: McpRequest) => Promise<Reply>,
  ): Promise<Reply> {
    if (!hasResources(context)) return answer(request)
    const watch = await this.#watch.open(context.caller, request.renew)
    const gone = AbortSignal.any([request.whenGone(), watch.ended])
    onAbort(gone, () => watch[Symbol.dispose]())
    const current = { watch, isUsed: false }
    const reply = await this.#current.run(current, () => answer({ ...request, whenGone: () => gone }))
    // Without anything to subscribe to the SDK ends the stream itself, and nothing else would release the watch.
    if (!current.isUsed || !(reply.body instanceof ReadableStream)) watch[Symbol.dispose]()
    return reply
  }

  /** For older revisions: a stream without a session, which any node can serve. Null for other requests. */
  async stream(request: McpRequest, context: CallContext): Promise<Reply | null> {
    const { method, headers, whenGone } = request
    const isAsked = method === 'GET' && (headers.accept ?? '').includes('text/event-stream')
    const isOlder = headers['mcp-protocol-version'] !== '2026-07-28'
    if (!isAsked || !isOlder || !hasResources(context)) return null
    const watch = await this.#watch.open(context.caller, request.renew)
    const gone = AbortSignal.any([whenGone(), watch.ended])
    let isCancelled = false
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        const write = (text: string): void => controller.enqueue(Buffer.from(text))
        const timer = setInterval(() => write(': beat\n\n'), beat)
        const end = (): void => {
          clearInterval(timer)
          watch[Symbol.dispose]()
          if (!isCancelled) controller.close()
        }
        watch.onChange = (change) => {
          if ((controller.desiredSize ?? 0) < -mostUnread) return watch[Symbol.dispose]()
          for (const event of writeEvents(change))
            write(`event: message\ndata: ${JSON.stringify(writeNotification(event))}\n\n`)
        }
        write(': ready\n\n')
        onAbort(gone, end)
      },
      cancel() {
        isCancelled = true
        watch[Symbol.dispose]()
      },
    })
    return {
      status: 200,
      headers: {
        'Content-Type': 'text/event-stream',
        'Cache-Control': 'no-store',
        'X-Accel-Buffering': 'no',
      },
      body,
    }
  }
}

/** Also handles a signal that is already aborted: the client left, or Spool stopped, while the watch was opening. */
function onAbort(signal: AbortSignal, act: () => void): void {
  if (signal.aborted) act()
  else signal.addEventListener('abort', act, { once: true })
}

type ResourceEvent = Extract<ServerEvent, { kind: 'resource_updated' | 'resources_list_changed' }>

/** The list of resources contains the unread threads, so new mail changes it. */
function writeEvents({ threadId, isMail }: ThreadChange): ResourceEvent[] {
  const updated = { kind: 'resource_updated', uri: threadUri(threadId) } as const
  return isMail ? [updated, { kind: 'resources_list_changed' }] : [updated]
}

function writeNotification(event: ResourceEvent): object {
  return event.kind === 'resource_updated'
    ? { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri: event.uri } }
    : { jsonrpc: '2.0', method: 'notifications/resources/list_changed' }
}
