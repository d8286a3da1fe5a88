import type { JSX } from 'preact'
import { AgentTable } from './agent-table.tsx'
import { isAdmin, session } from '../../session/session.ts'
import { AgentRulesCard } from '../mailboxes/agent-rules.tsx'
import { useAnswer } from '../parts/answer.ts'
import { ClientsCard } from './clients.tsx'
import { ConnectAgent } from './connect-agent.tsx'
import { Copyable } from '../parts/copy.tsx'
import { Card, Loaded, Nothing, Page } from '../parts/page.tsx'
import { texts } from '../parts/texts.ts'

const t = texts.agents

export function AgentsPage(): JSX.Element {
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
