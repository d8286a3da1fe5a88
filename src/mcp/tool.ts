import type { ToolAnnotations } from '@modelcontextprotocol/server'
import type { z } from 'zod'
import type { Spool } from '../core/spool.ts'
import type { Caller, Scope } from '../model/access.ts'
import type { Reads } from '../model/reads.ts'
import type { Fence } from './fence.ts'
import type { Latin } from './latin.ts'

export interface ToolCall<Input> {
  spool: Spool
  caller: Caller
  input: Input
  fence: Fence
  /** Reports how much mail the result contains. */
  noteReads(reads: Reads): void
}

/** The result of a tool. */
export interface Answer {
  /** A value that can be written as JSON, or already is JSON. */
  structured: object
  /** Compact text for models, which pay for every word; if omitted, the JSON itself is used. */
  text?: string | Latin
  image?: { data: string; mimeType: string }
}

/** One tool: the tool list, argument validation and the tests' access matrix are all built from this. */
export interface Tool<Input = unknown> {
  name: string
  title: string
  /** Null: any token may call it. */
  scope: Scope | null
  /** Tells the model when to use it and what to do next. */
  description: string
  /** An allowlist: other arguments are rejected. */
  input: z.ZodType<Input>
  output: z.ZodType
  annotations: Required<Omit<ToolAnnotations, 'title'>>
  /** Whether the result depends only on the store, the caller and the arguments. */
  cached: boolean
  run(call: ToolCall<Input>): Promise<Answer>
}

export function defineTool<Input>(tool: Tool<Input>): Tool {
  return tool as Tool
}

/** Reads mail and changes nothing. */
export const reads: Tool['annotations'] = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
}
