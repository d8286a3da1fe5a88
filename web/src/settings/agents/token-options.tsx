import { useSignal } from '@preact/signals'
import type { Scope } from '../../../../src/model/access.ts'
import { lifetimes, type Lifetime } from '../../../../src/model/token-lifetimes.ts'
import { bind } from '../../controls/form.tsx'
import { canWrite, isAdmin } from '../../session/session.ts'
import { Checks, InboxChoice, needSome, optionsOf, Select } from '../parts/choice.tsx'
import { texts } from '../parts/texts.ts'

const t = texts.tokens

type TokenOptions = ReturnType<typeof useTokenOptions>

/** What a token may do, where, and for how long. */
export function useTokenOptions() {
  const usual: Scope[] = ['threads:read', 'notes:read', 'drafts:propose']
  return {
    scopes: useSignal(usual.filter((scope) => canWrite.value || scope !== 'drafts:propose')),
    inboxes: useSignal<string[] | null>(null),
    expires: useSignal<Lifetime>('90d'),
  }
}

export function optionsBody({ scopes, inboxes, expires }: TokenOptions) {
  needSome(scopes.value, t.needsScope)
  needSome(inboxes.value, texts.inboxes.needsOne)
  return { scopes: scopes.value, inboxes: inboxes.value, expires: expires.value }
}

const offeredScopes = ['threads:read', 'notes:read', 'drafts:propose', 'events:read', 'sources:read'] as const

/** Agents are not offered `sources:read`, which would show them what a mail hides from people. */
export function TokenOptionFields({
  options,
  forAgent = false,
}: {
  options: TokenOptions
  forAgent?: boolean
}) {
  const scopes = offeredScopes.filter(
    (scope) => (canWrite.value || scope !== 'drafts:propose') && !(forAgent && scope === 'sources:read'),
  )
  const offered = lifetimes.filter((lifetime) => isAdmin.value || lifetime !== 'never')
  return (
    <>
      <Checks
        legend={t.mayDo}
        options={optionsOf(scopes, t.scopes)}
        {...bind(options.scopes)}
        after={<p class="check never">{t.neverSends}</p>}
      />
      <div class="pair">
        <InboxChoice {...bind(options.inboxes)} />
        <Select label={t.lifetime} options={optionsOf(offered, t.lifetimes)} {...bind(options.expires)} />
      </div>
    </>
  )
}
