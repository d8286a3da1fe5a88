import type { Actor } from '../../model/access.ts'
import { guideSteps, type GuideStep } from '../../model/guide-steps.ts'
import type { Guide } from '../../model/settings.ts'
import { transaction } from '../../store/database.ts'
import type { Db } from '../../store/db.ts'
import { listInboxes } from '../../store/inboxes/inboxes.ts'
import { listLinks } from '../../store/people/links.ts'
import { readSetting, writeSetting } from '../../store/settings.ts'
import { hasThreads } from '../../store/threads/threads.ts'
import { hasUsedToken } from '../../store/people/tokens.ts'
import { listUsers } from '../../store/people/users.ts'
import { requireAdmin } from '../access/sessions.ts'
import { listServersOfInboxes } from '../mailboxes/mail-servers.ts'
import type { Spool } from '../spool.ts'

const setting = 'guide_skipped'

/** Done steps are derived from the data; only skipped ones are stored. */
export async function readGuide(spool: Spool, db: Db = spool.db): Promise<Guide> {
  const skipped = await readSkipped(db)
  const steps = {} as Guide['steps']
  for (const step of guideSteps)
    steps[step] = (await isDone[step](spool, db)) ? 'done' : skipped.has(step) ? 'skipped' : 'open'
  return { steps, finished: Object.values(steps).every((state) => state !== 'open') }
}

const isDone: Record<GuideStep, (spool: Spool, db: Db) => Promise<boolean>> = {
  async mailbox(_, db) {
    if ((await listServersOfInboxes({ db })).length > 0) return true
    // Mail may also be forwarded or imported; then its arrival shows that it works.
    return (await listInboxes(db)).length > 0 && hasThreads(db)
  },
  people: async (spool, db) =>
    (await listUsers(db)).length > 1 || (await listLinks(db, 'invitation', spool.now())).length > 0,
  agent: (_, db) => hasUsedToken(db),
}

async function readSkipped(db: Db): Promise<Set<string>> {
  return new Set(JSON.parse((await readSetting(db, setting)) ?? '[]') as string[])
}

/** `open` brings back a skipped step. */
export async function setGuideStep(
  spool: Spool,
  actor: Actor,
  step: GuideStep,
  state: 'skipped' | 'open',
): Promise<Guide> {
  return transaction(spool.db, async (db) => {
    await requireAdmin(spool, db, actor)
    const skipped = await readSkipped(db)
    if (state === 'skipped') skipped.add(step)
    else skipped.delete(step)
    await writeSetting(db, setting, JSON.stringify([...skipped]))
    return readGuide(spool, db)
  })
}
