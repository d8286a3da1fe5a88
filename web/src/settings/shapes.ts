import type { FoundFolder, MailProblem, ServerSettings } from '../../../src/model/settings.ts'

export interface Provider {
  name: string
  imap: ServerSettings
  smtp: ServerSettings
  passwordHint: string | null
  link: string | null
  /** False where a password opens neither server. */
  takesPasswords: boolean
  guessed: boolean
}

export type Tried =
  | { ok: true; folders?: FoundFolder[] }
  | { ok: false; problem: MailProblem; message: string }

export const lifetimes = ['7d', '30d', '90d', '365d', 'never'] as const
export type Lifetime = (typeof lifetimes)[number]

export const clients = ['claudeDesktop', 'claudeCode', 'cursor', 'vscode', 'curl'] as const
export type Client = (typeof clients)[number]

export interface MadeAgent {
  token: string
  tokenId: string
  configurations: Record<Client, string>
}
