import type { Tool } from '../tool.ts'
import { getDraftTool, proposeDraftTool, reviseDraftTool, withdrawDraftTool } from './drafts.ts'
import { listNotesTool } from './notes.ts'
import { getThreadTool, listThreadsTool } from './threads.ts'

/** Every tool. None of them sends. */
export const tools: readonly Tool[] = [
  listThreadsTool,
  getThreadTool,
  listNotesTool,
  proposeDraftTool,
  reviseDraftTool,
  withdrawDraftTool,
  getDraftTool,
]

const byName = new Map(tools.map((tool) => [tool.name, tool]))

export function findTool(name: unknown): Tool | undefined {
  return typeof name === 'string' ? byName.get(name) : undefined
}
