import type { Command } from 'commander'
import { addBackup } from './backup.ts'
import type { Environment } from './command.ts'
import { addDemo } from './demo.ts'
import { addDoctor } from './doctor.ts'
import { addImport } from './import.ts'
import { addInboxCommands } from './inbox.ts'
import { addMcp } from './mcp.ts'
import { addNoteCommands } from './note.ts'
import { addServe } from './serve.ts'
import { addThreadCommands } from './thread.ts'
import { addTokenCommands } from './token.ts'
import { addUserCommands } from './user.ts'

/** In the order of `--help`. */
export const commands: readonly ((program: Command, environment: Environment) => void)[] = [
  addServe,
  addDemo,
  addInboxCommands,
  addUserCommands,
  addTokenCommands,
  addImport,
  addThreadCommands,
  addNoteCommands,
  addMcp,
  addBackup,
  addDoctor,
]
