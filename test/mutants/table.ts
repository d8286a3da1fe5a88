import type { Mutant } from './mutant.ts'
import { agents } from './agents.ts'
import { doors } from './doors.ts'
import { drafts } from './drafts.ts'
import { grants } from './grants.ts'
import { history } from './history.ts'
import { mail } from './mail.ts'
import { newText } from './new-text.ts'
import { notices } from './notices.ts'
import { people } from './people.ts'
import { pictures } from './pictures.ts'
import { receiving } from './receiving.ts'
import { running } from './running.ts'
import { search } from './search.ts'
import { sending } from './sending.ts'
import { threads } from './threads.ts'
import { webhooks } from './webhooks.ts'

/** Edits of the source that each break one rule of what Spool promises. Every one is noticed by the tests it names. */
export const table: readonly Mutant[] = [
  ...doors,
  ...people,
  ...threads,
  ...drafts,
  ...search,
  ...sending,
  ...agents,
  ...grants,
  ...webhooks,
  ...notices,
  ...mail,
  ...newText,
  ...receiving,
  ...history,
  ...pictures,
  ...running,
]
