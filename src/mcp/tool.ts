import type { ToolAnnotations } from '@modelcontextprotocol/server'
import type { z } from 'zod'
import type { Spool } from '../core/spool.ts'
import type { Caller, Scope } from '../model/access.ts'
import type { Reads } from '../model/reads.ts'
import type { Fence } from './fence.ts'

export interface ToolCall<Input> {
  spool: Spool
  caller: Caller
  input: Input
  fence: Fence
  /** Tells how much of the team's mail the result holds. */
  noteReads(reads: Reads): void
}

/** One tool: the list, the check of its arguments and the access matrix of the tests are all made from this. */
export interface Tool<Input = unknown> {
  name: string
  title: string
  scope: Scope
  /** Says when to use it and what to do next, for a model to act on. */
  description: string
  /** An allowlist: an argument that is not in it is refused. */
  input: z.ZodType<Input>
  output: z.ZodType
  annotations: Required<Omit<ToolAnnotations, 'title'>>
  /** The answer follows from the store, the caller and the arguments alone. */
  cached: boolean
  /** A value that can be written as JSON, or is. */
  run(call: ToolCall<Input>): Promise<object>
}

export function defineTool<Input>(tool: Tool<Input>): Tool {
  return tool as Tool
}

/** Reads the team's mail and changes nothing. */
export const reads: Tool['annotations'] = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
}
