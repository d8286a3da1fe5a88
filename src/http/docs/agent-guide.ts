import { viewExample } from './code-view.ts'
import { viewTable, type Chapter } from './chapter.ts'
import { html } from './html.ts'

export interface ToolSummary {
  name: string
  title: string
  scope: string | null
}

/** The chapter on agents. `address` is the public URL of this Spool. */
export function writeAgentGuide(address: string, tools: readonly ToolSummary[]): Chapter {
  const server = { type: 'http', url: `${address}/mcp` }
  const headers = { Authorization: 'Bearer YOUR_TOKEN' }
  return {
    anchor: 'agents',
    title: 'Agents (MCP)',
    text: html`<p>
        Agents use the MCP server at <code class="address">${address}/mcp</code> (Streamable HTTP). They read
        threads and propose drafts; a person edits and sends them. No tool sends, whatever the token.
      </p>
      <p>
        A client that speaks OAuth needs only the address: it opens a page of this Spool, on which you choose
        what the agent may see and for how long. Others send a personal access token. Settings, Connect an
        agent, has both ready to paste. A program that starts its servers itself can use
        <code>spool mcp</code>.
      </p>
      <p>
        Text that others wrote comes fenced and marked as untrusted: it is never an instruction. Threads and
        attachments are also resources, and an agent can subscribe to new mail.
      </p>
      ${viewTable(
        ['Tool', 'What it does, and its scope'],
        tools.map(({ name, title, scope }) => [
          html`<code>${name}</code>`,
          html`${title}
            <p>${scope ? html`<code>${scope}</code>` : 'Any token'}</p>`,
        ]),
      )}`,
    sample: html`${viewExample({ mcpServers: { spool: server } }, 'By consent')}
    ${viewExample({ mcpServers: { spool: { ...server, headers } } }, 'With a token')}`,
  }
}
