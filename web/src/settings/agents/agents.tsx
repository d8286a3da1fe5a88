import type { AgentView as Agent } from '../../../../src/model/settings.ts'
import { ask } from '../../page/api.ts'
import { formatNumber } from '../../page/locale.ts'
import { timeAgo } from '../../page/times.ts'
import { isAdmin, session } from '../../session/session.ts'
import { AgentRulesCard } from '../mailboxes/agent-rules.tsx'
import { useAnswer } from '../parts/answer.ts'
import { ClientsCard } from './clients.tsx'
import { ConnectAgent } from './connect-agent.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { Copyable } from '../parts/copy.tsx'
import { Card, Loaded, Nothing, Page } from '../parts/page.tsx'
import { texts } from '../parts/texts.ts'

const t = texts.agents
const columns = Object.keys(t.columns) as (keyof typeof t.columns)[]

export function AgentsPage() {
  const agents = useAnswer('/agents', () => 4000)
  return (
    <Page title={texts.pages.agents} lead={t.lead} wide>
      <Card title={t.byAddress} hint={t.byAddressHint}>
        <Copyable label={t.address} text={`${location.origin}/mcp`} />
      </Card>
      <ConnectAgent onCalled={() => void agents.reload()} />
      <Loaded answer={agents}>
        {({ data }) => (
          <Card title={t.lately} hint={t.latelyHint}>
            {data.length === 0 ? (
              <Nothing>{t.none}</Nothing>
            ) : (
              <AgentTable agents={data} onGone={() => void agents.reload()} />
            )}
          </Card>
        )}
      </Loaded>
      {/* Admins edit the rules in the settings of each inbox. */}
      {isAdmin.value ? (
        <ClientsCard />
      ) : (
        session.value?.inboxes.map(({ id, name }) => <AgentRulesCard key={id} inbox={id} name={name} />)
      )}
    </Page>
  )
}

/** What each agent has read and proposed, and what happened to its drafts. */
function AgentTable({ agents, onGone }: { agents: readonly Agent[]; onGone: () => void }) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={t.lately}>
      <table>
        <thead>
          <tr>
            <th scope="col" rowSpan={2}>
              {t.agent}
            </th>
            <th scope="colgroup" colSpan={3}>
              {t.read}
            </th>
            <th scope="colgroup" colSpan={6}>
              {t.drafts}
            </th>
          </tr>
          <tr>
            {columns.map((field) => (
              <th key={field} scope="col" class="figure">
                {t.columns[field]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {agents.map((agent) => (
            <AgentRow key={agent.tokenId} agent={agent} onGone={onGone} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function AgentRow({ agent, onGone }: { agent: Agent; onGone: () => void }) {
  const { tokenId, name, user, byConsent, lastUsedAt, last30Days } = agent
  const foreign = user.id !== session.value?.user.id
  return (
    <tr>
      <th scope="row">
        <span class="agent-name">{name}</span>
        {foreign && <i> {texts.tokens.of(user.name)}</i>}
        <small>
          {lastUsedAt !== null
            ? t.lastCall(timeAgo(lastUsedAt))
            : byConsent
              ? t.waitsForFirst
              : t.neverCalled}
        </small>
        <Confirm
          of={name}
          title={t.disconnectTitle(name)}
          text={t.disconnectText}
          act={t.disconnect}
          onAct={() => ask('DELETE', `/tokens/${tokenId}`).then(onGone)}
        />
      </th>
      {columns.map((field) => (
        <td key={field} class="figure">
          {formatNumber(last30Days[field])}
        </td>
      ))}
    </tr>
  )
}
