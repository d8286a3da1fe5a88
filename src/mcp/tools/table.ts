import type { Tool } from '../tool.ts'
import { getAttachmentTool } from './attachments.ts'
import {
  getDraftTool,
  listDraftsTool,
  proposeDraftTool,
  reviseDraftTool,
  withdrawDraftTool,
} from './drafts.ts'
import { fetchTool, searchTool } from './lookup.ts'
import { listNotesTool } from './notes.ts'
import { getThreadTool, listThreadsTool } from './threads.ts'
import { whoamiTool } from './whoami.ts'

/** Every tool. None of them sends mail. */
export const tools: readonly Tool[] = [
  whoamiTool,
  listThreadsTool,
  getThreadTool,
  getAttachmentTool,
  listNotesTool,
  proposeDraftTool,
  reviseDraftTool,
  withdrawDraftTool,
  getDraftTool,
  listDraftsTool,
  searchTool,
  fetchTool,
]

const byName = new Map(tools.map((tool) => [tool.name, tool]))

export function findTool(name: unknown): Tool | undefined {
  return typeof name === 'string' ? byName.get(name) : undefined
}
