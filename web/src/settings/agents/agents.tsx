import type { JSX } from 'preact'
import { AgentTable } from './agent-table.tsx'
import { useAnswer } from '../parts/answer.ts'
import { ConnectAgent } from './connect-agent.tsx'
import { Card, Loaded, Nothing, Page } from '../parts/page.tsx'
import { texts } from '../parts/texts.ts'

const t = texts.agents

export function AgentsPage(): JSX.Element {
  const agents = useAnswer('/agents', () => 4000)
  return (
    <Page title={texts.pages.agents} lead={t.lead} wide>
      <ConnectAgent onCalled={() => void agents.reload()} />
      <Loaded answer={agents}>
        {({ data }) => (
          <Card title={t.lately} hint={t.latelyHint}>
            {data.length === 0 ? <Nothing>{t.none}</Nothing> : <AgentTable agents={data} />}
          </Card>
        )}
      </Loaded>
    </Page>
  )
}
