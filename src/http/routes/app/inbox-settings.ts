import { listAgentRuleVersions, writeAgentRules } from '../../../core/inboxes/agent-rules.ts'
import { readGuide, setGuideStep } from '../../../core/inboxes/guide.ts'
import {
  completeTrial,
  createInbox,
  getInboxSettings,
  listInboxSettings,
  reviseInbox,
} from '../../../core/inboxes/settings.ts'
import { viewClient } from '../../../core/inboxes/oauth-clients.ts'
import { redirectUri } from '../../../core/inboxes/sign-in.ts'
import { removeInbox } from '../../../core/inboxes/inboxes.ts'
import { askForSync } from '../../../core/mailboxes/state.ts'
import { probeMailServer } from '../../../mail/try-connection.ts'
import { admins, defineAppRoute, everyone } from '../../app-route.ts'

const tryMilliseconds = 15_000

export const inboxRoutes = [
  defineAppRoute('listInboxSettings', admins, async ({ spool }) => ({
    data: await listInboxSettings(spool),
  })),

  defineAppRoute('getInboxSettings', admins, ({ spool, path }) => getInboxSettings(spool, path.id)),

  defineAppRoute('findProvider', admins, async ({ spool, body }) => {
    const found = await spool.lookUpProvider(body.address)
    const { name, imap, smtp, takesPasswords, passwordHint, link, signIn, by } = found
    const username = body.address
    return {
      provider: {
        name,
        imap: { ...imap, username },
        smtp: { ...smtp, username },
        takesPasswords,
        passwordHint,
        link,
        guessed: by === 'guess',
        signIn: {
          provider: signIn,
          client: await viewClient(spool, signIn),
          redirectUri: redirectUri(spool),
        },
      },
    }
  }),

  defineAppRoute('tryServer', admins, async ({ spool, body: { kind, server, password, inboxId }, guard }) => {
    // Otherwise Spool could be used to guess passwords at other mail servers.
    await guard.countTrial()
    const wanted = { ...server, ...(password === undefined ? {} : { password }) }
    const complete = await completeTrial(spool, kind, wanted, inboxId)
    const trial = await probeMailServer(complete, tryMilliseconds)
    if (!trial.ok) return { ok: false, problem: trial.problem, message: trial.message }
    return { ok: true, ...(trial.folders ? { folders: trial.folders } : {}) }
  }),

  defineAppRoute('createInbox', admins, ({ spool, actor, body }) => createInbox(spool, actor, body)),

  defineAppRoute('changeInbox', admins, ({ spool, actor, path, body }) =>
    reviseInbox(spool, actor, path.id, body),
  ),

  defineAppRoute('removeInbox', admins, async ({ spool, actor, path }) => {
    await getInboxSettings(spool, path.id)
    await removeInbox(spool, path.id, actor)
    return { removed: path.id }
  }),

  defineAppRoute('syncInbox', admins, async ({ spool, actor, path }) => {
    await getInboxSettings(spool, path.id)
    await askForSync(spool, path.id, actor)
    return { started: true }
  }),

  defineAppRoute('getAgentRules', everyone, async ({ spool, actor, path }) => ({
    data: await listAgentRuleVersions(spool, actor, path.id),
  })),

  defineAppRoute('writeAgentRules', admins, async ({ spool, actor, path, body }) => ({
    data: await writeAgentRules(spool, actor, { inboxId: path.id, ...body }),
  })),

  defineAppRoute('getGuide', admins, ({ spool }) => readGuide(spool)),

  defineAppRoute('setGuideStep', admins, ({ spool, actor, body }) =>
    setGuideStep(spool, actor, body.step, body.state),
  ),
]
