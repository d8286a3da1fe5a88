import type { JSX } from 'preact'
import { AgentTable } from './agent-table.tsx'
import { useAnswer } from '../parts/answer.ts'
import { ConnectAgent } from './connect-agent.tsx'
import { Card, Loaded, Nothing, Page } from '../parts/page.tsx'
import { words } from '../parts/words.ts'

const w = words.agents

export function AgentsPage(): JSX.Element {
  const agents = useAnswer('/agents', () => 4000)
  return (
    <Page title={words.pages.agents} lead={w.lead} wide>
      <ConnectAgent onCalled={() => void agents.reload()} />
      <Loaded answer={agents}>
        {({ data }) => (
          <Card title={w.lately} hint={w.latelyHint}>
            {data.length === 0 ? <Nothing>{w.none}</Nothing> : <AgentTable agents={data} />}
          </Card>
        )}
      </Loaded>
    </Page>
  )
}
