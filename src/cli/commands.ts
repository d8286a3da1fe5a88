import type { Command } from 'commander'
import type { Environment } from './command.ts'

export type AddCommand = (program: Command, environment: Environment) => void

/** In the order of `--help`. Loaded lazily: the others would load mail parsers, the demo and more. */
export const commands: Readonly<Record<string, () => Promise<AddCommand>>> = {
  serve: async () => (await import('./serve.ts')).addServe,
  demo: async () => (await import('./demo.ts')).addDemo,
  inbox: async () => (await import('./inbox.ts')).addInboxCommands,
  user: async () => (await import('./user.ts')).addUserCommands,
  token: async () => (await import('./token.ts')).addTokenCommands,
  import: async () => (await import('./import.ts')).addImport,
  thread: async () => (await import('./thread.ts')).addThreadCommands,
  note: async () => (await import('./note.ts')).addNoteCommands,
  webhook: async () => (await import('./webhook.ts')).addWebhookCommands,
  mcp: async () => (await import('./mcp.ts')).addMcp,
  backup: async () => (await import('./keeping/backup.ts')).addBackup,
  restore: async () => (await import('./keeping/restore.ts')).addRestore,
  move: async () => (await import('./keeping/move.ts')).addMove,
  secret: async () => (await import('./keeping/secret.ts')).addSecretCommands,
  doctor: async () => (await import('./doctor.ts')).addDoctor,
}
