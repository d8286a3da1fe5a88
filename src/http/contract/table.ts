import { accountContract } from './account.ts'
import { draftContract } from './drafts.ts'
import { entryContract } from './entry.ts'
import { noticeContract } from './notices.ts'
import { programContract } from './programs.ts'
import { searchContract } from './search.ts'
import { settingsContract } from './settings.ts'
import { threadContract } from './threads.ts'

/** Every private route by operation name; handlers and the page take their types from it. */
export const appContract = {
  ...entryContract,
  ...accountContract,
  ...threadContract,
  ...searchContract,
  ...noticeContract,
  ...draftContract,
  ...settingsContract,
  ...programContract,
}
export type AppContract = typeof appContract
