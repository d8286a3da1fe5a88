import type { Admitted } from '../core/tokens/authentication.ts'
import type { Cache } from '../core/cache.ts'
import type { Versions } from '../core/freshness.ts'
import type { Spool } from '../core/spool.ts'
import type { Caller } from '../model/access.ts'
import { SpoolError } from '../model/errors.ts'
import type { Reads } from '../model/reads.ts'
import { readArguments } from './arguments.ts'
import { describeProblem } from './problem.ts'
import { withFreshNonce, render, type Rendition } from './rendition.ts'
import type { Tool } from './tool.ts'

/** Who is calling, and the store versions the answer is valid for. */
export interface CallContext extends Admitted {
  versions: Versions
  requestId: string
}

type Counted = Rendition & { reads: Reads | null }

/** For the log and the reading tally. */
export interface CallHooks {
  onFault(requestId: string, error: unknown): void
  onRead(tokenId: string, reads: Reads): void
}

/** Runs tools. The details of an error go only to the log. */
export class ToolRunner {
  readonly #spool: Spool
  readonly #hooks: CallHooks
  readonly #cache: Cache

  constructor(spool: Spool, cache: Cache, hooks: CallHooks) {
    this.#spool = spool
    this.#cache = cache
    this.#hooks = hooks
  }

  /** The members of the result as JSON, wrapped in two strings. An error becomes a result for the model to read. */
  async run(
    tool: Tool,
    given: unknown,
    context: CallContext,
    frame: readonly [string, string],
  ): Promise<Buffer> {
    try {
      return await this.runOrThrow(tool, given, context, frame)
    } catch (error) {
      return Buffer.from(frame[0] + describeProblem(error, context.requestId) + frame[1])
    }
  }

  async runOrThrow(
    tool: Tool,
    given: unknown,
    context: CallContext,
    [before, after]: readonly [string, string],
  ): Promise<Buffer> {
    try {
      const rendition = await this.#render(tool, given, context)
      if (rendition.reads) this.#hooks.onRead(context.caller.token.id, rendition.reads)
      return withFreshNonce(rendition, before, after)
    } catch (error) {
      if (!(error instanceof SpoolError) || error.code === 'store_unavailable')
        this.#hooks.onFault(context.requestId, error)
      throw error
    }
  }

  async #render(tool: Tool, given: unknown, context: CallContext): Promise<Counted> {
    const { caller, view, scopes, versions } = context
    const written = tool.cached ? writeArguments(given) : null
    if (written === null) return this.#make(tool, given, caller)
    const key = `mcp ${view} ${tool.name} ${written}`
    const known = this.#cache.find<Counted>(key, versions)
    if (known) return known
    const rendition = await this.#make(tool, given, caller)
    const bytes = rendition.bytes.length + 2 * key.length
    this.#cache.keep(key, { bytes, scopes, versions }, () => rendition)
    return rendition
  }

  async #make(tool: Tool, given: unknown, caller: Caller): Promise<Counted> {
    const input = readArguments(tool.name, tool.input, given)
    let reads: Reads | null = null
    const noteReads = (noted: Reads): void => void (reads = noted)
    const rendition = await render((fence) =>
      tool.run({ spool: this.#spool, caller, input, fence, noteReads }),
    )
    return { ...rendition, reads }
  }
}

/** Arguments as a cache key; null if too long or too deeply nested to be worth caching. */
function writeArguments(given: unknown): string | null {
  try {
    const text = JSON.stringify(given ?? {})
    return text.length <= 3_000 ? text : null
  } catch {
    return null
  }
}
