import { openSpool } from '../../src/app/open.ts'
import { readConfig } from '../../src/config.ts'
import { addInbox } from '../../src/core/inboxes/inboxes.ts'
import { addUser } from '../../src/core/people/people.ts'
import type { Spool } from '../../src/core/spool.ts'
import { createToken } from '../../src/core/tokens/tokens.ts'
import { scopes, type Inbox } from '../../src/model/access.ts'
import type { FreshDatabase } from './databases.ts'

/** An open store with an inbox and a token, for tests that run servers on the same store. */
export interface OpenedStore extends AsyncDisposable {
  spool: Spool
  inbox: Inbox
  token: string
}

export async function openStore(database: FreshDatabase): Promise<OpenedStore> {
  const spool = await openSpool(readConfig(database.env), 'inline')
  const inbox = await addInbox(spool, 'support@shop.example', null)
  await addUser(spool, { email: 'ada@shop.example', name: 'Ada', role: 'admin', inboxes: [], password: null })
  const wanted = { email: 'ada@shop.example', name: 'Reader', scopes, inboxes: [], lifetime: null }
  const { token } = await createToken(spool, wanted)
  return { spool, inbox, token, [Symbol.asyncDispose]: () => spool[Symbol.asyncDispose]() }
}
