import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { openSpool } from '../../src/app/open.ts'
import { readConfig } from '../../src/config.ts'
import { addInbox, changeInbox } from '../../src/core/inboxes/inboxes.ts'
import type { NewGrant } from '../../src/core/mailboxes/grants.ts'
import { askMailServer } from '../../src/store/inboxes/mail-servers.ts'
import { transaction } from '../../src/store/database.ts'
import { findGrant } from '../../src/store/inboxes/mail-grants.ts'
import { databases, freshDatabase } from '../support/databases.ts'
import { writeMail } from '../support/letter.ts'
import { openMailUser } from '../support/mail-user.ts'
import { startMailProvider } from '../support/mail-provider.ts'
import { startDovecot } from '../support/parts/dovecot.ts'
import { skipWithout } from '../support/parts/install.ts'
import { makeRandom } from '../support/random.ts'
import { Serving } from '../support/serving.ts'
import { countMessages, storedSources, sum } from '../support/sources.ts'
import { until } from '../support/until.ts'

const skip = skipWithout('dovecot')
const isLong = process.env['SPOOL_TEST_LONG'] === '1'
const [rounds, mailsOfRound, revokedEach] = isLong ? [50, 200, 3] : [2, 15, 2]
const address = 'support@shop.example'
const redirectUri = 'http://127.0.0.1:9/oauth/mailbox'
const patience = 300_000

for (const database of databases)
  test(
    `${database}: tokens end, grants are revoked and renewed and nodes are killed: no mail is lost or doubled, no refresh token used twice`,
    {
      skip,
    },
    async (t) => {
      await using provider = await startMailProvider(redirectUri)
      await using dovecot = await startDovecot({
        users: { [address]: 'secret' },
        introspectionUrl: provider.introspectionUrl,
      })
      await using fresh = await freshDatabase(database)
      const environment = { ...fresh.env, SPOOL_FETCH_ALLOW: '127.0.0.1' }
      await using spool = await openSpool(readConfig(environment), 'inline')
      provider.life = 1
      const consent = async (): Promise<NewGrant> => {
        const client = {
          provider: 'other',
          way: 'delegated',
          ...provider.client,
          scopes: ['openid', 'email', 'offline_access'],
        } as const
        const random = (): string => randomBytes(32).toString('base64url')
        const request = { redirectUri, state: random(), verifier: random(), nonce: random(), hint: address }
        const back = await provider.consent(await spool.oauth.authorizationUrl(client, request), address)
        const read = (name: string): string => back.searchParams.get(name)!
        const answer = { code: read('code'), state: read('state'), iss: read('iss') }
        const tokens = await spool.oauth.redeem(client, request, answer)
        return { provider: 'other', way: 'delegated', account: address, client, tokens }
      }
      const server = {
        kind: 'imap',
        host: '127.0.0.1',
        port: dovecot.port,
        security: 'none',
        user: address,
        password: null,
        options: {},
      } as const
      const grant = await consent()
      const inbox = await addInbox(spool, address, null, [server], undefined, { grant })
      await using carla = await openMailUser(dovecot, address)
      const random = makeRandom(7)
      const wanted: string[] = []
      const count = (): Promise<number> => countMessages(spool, inbox.number)
      let revocations = 0
      let node = await Serving.start(environment)
      for (let round = 1; round <= rounds; round++) {
        await node.says(/a mailbox is up to date/, patience)
        const before = wanted.length
        for (let n = 0; n < mailsOfRound; n++) {
          const raw = writeMail({ subject: `box${before + n}`, to: address })
          wanted.push(sum(raw))
          await carla.append('INBOX', raw)
        }
        const some = before + Math.floor(random() * mailsOfRound)
        await until('some are here', async () => (await count()) >= some, patience)
        // Two nodes at once, where the store allows it: the other takes the mailbox over.
        const next = database === 'postgres' ? await Serving.start(environment) : null
        await node.kill()
        if (round % revokedEach === 0) {
          revocations++
          provider.revoked = true
          await using stopped = next ?? (await Serving.start(environment))
          await until(
            'the grant is refused',
            async () => (await findGrant(spool.db, inbox.number))!.failure !== null,
            patience,
          )
          await stopped.kill()
          provider.revoked = false
          await changeInbox(spool, inbox.id, { grant: await consent() })
          await transaction(spool.db, (db) => askMailServer(db, inbox.number, 'imap', spool.now()))
          node = await Serving.start(environment)
        } else node = next ?? (await Serving.start(environment))
      }
      await until('all are here', async () => (await count()) === wanted.length, patience)
      await node.kill()
      assert.deepEqual(await storedSources(spool, inbox.number), wanted.sort())
      const times = [...provider.refreshes.values()]
      t.diagnostic(
        `${wanted.length} mails, ${rounds} kills, ${revocations} revocations, ${times.length} refreshes`,
      )
      assert.ok(times.length >= rounds)
      assert.deepEqual(
        times.filter((used) => used !== 1),
        [],
      )
    },
  )
