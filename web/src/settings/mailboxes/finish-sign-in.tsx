import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { ask, sentenceOf } from '../../page/api.ts'
import { Problem } from '../../controls/form.tsx'
import { go } from '../../page/router.ts'
import { resumeSession } from '../../session/session.ts'
import { Page } from '../parts/page.tsx'
import { texts } from '../parts/texts.ts'

const t = texts.signIn

/** The provider redirects here. The page passes the answer to the server, which then opens the mailbox. */
export function FinishSignIn() {
  const problem = useSignal<string | null>(null)
  useEffect(() => {
    const answer = new URLSearchParams(location.search)
    const [state, code, iss, error] = ['state', 'code', 'iss', 'error'].map((name) => answer.get(name))
    // The code must not stay in the URL or the history.
    history.replaceState(null, '', location.pathname)
    const body = { state: state ?? '', code: code ?? null, iss: iss ?? null, error: error ?? null }
    ask('POST', '/settings/mailbox-sign-in/finish', body).then(
      async ({ id }) => {
        await resumeSession().catch(() => undefined)
        go(`/settings/inboxes/${id}`, { replace: true })
      },
      (refused: unknown) => (problem.value = sentenceOf(refused)),
    )
  }, [])
  return (
    <Page title={t.title} up="/settings/inboxes">
      {problem.value === null ? (
        <p class="sync" role="status">
          {t.finishing}
        </p>
      ) : (
        <div class="card">
          <Problem text={problem.value} />
          <a class="btn primary" href="/settings/inboxes/new">
            {t.startAgain}
          </a>
        </div>
      )}
    </Page>
  )
}
