import { randomBytes } from 'node:crypto'
import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  inputRequired,
  inputResponse,
  type CallToolResult,
  type ClientCapabilities,
  type InputRequiredResult,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import { say } from './mcp-fixture-tools.ts'

/** Progress of a multi-round call, signed because it passes through the client. */
export const state = createRequestStateCodec<{ round: number }>({ key: randomBytes(32) })

type Outcome = CallToolResult | InputRequiredResult

const named = z.object({ name: z.string() })
const agreed = z.object({ ok: z.boolean() })
const coloured = z.object({ color: z.string() })
const told = z.object({ context: z.string() })

const askName = inputRequired.elicit({ message: 'What is your name?', requestedSchema: named })
const askConsent = inputRequired.elicit({ message: 'Please confirm', requestedSchema: agreed })
const askColour = inputRequired.elicit({
  message: 'What is your favourite colour?',
  requestedSchema: coloured,
})
const askContext = inputRequired.elicit({ message: 'Which context?', requestedSchema: told })
const askModel = (words: string, maxTokens: number) =>
  inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text: words } }],
    maxTokens,
  })

/**
 * Since 2026-07-28, a tool that needs client input ends with a question and is called again with the answer. Spool
 * never asks; the conformance suite checks that Spool's transport supports it.
 */
export function addAskingTools(server: McpServer): void {
  const add = (name: string, run: (context: ServerContext) => Outcome | Promise<Outcome>): void =>
    void server.registerTool(name, { description: name }, run)

  add('test_input_required_result_elicitation', ({ mcpReq: { inputResponses } }) => {
    const answer = acceptedContent(inputResponses, 'user_name', named)
    return answer ? say(`Hello, ${answer.name}!`) : inputRequired({ inputRequests: { user_name: askName } })
  })
  add('test_input_required_result_sampling', ({ mcpReq: { inputResponses } }) => {
    const answer = inputResponse(inputResponses, 'capital_question')
    if (answer.kind === 'sampling') return say(JSON.stringify(answer.result.content))
    const question = askModel('What is the capital of France?', 100)
    return inputRequired({ inputRequests: { capital_question: question } })
  })
  add('test_input_required_result_list_roots', ({ mcpReq: { inputResponses } }) => {
    const answer = inputResponse(inputResponses, 'client_roots')
    if (answer.kind === 'roots') return say(answer.roots.map(({ uri }) => uri).join())
    return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } })
  })
  for (const name of ['request_state', 'tampered_state'])
    add(`test_input_required_result_${name}`, async ({ mcpReq }) => {
      const known = mcpReq.requestState<{ round: number }>()
      const answer = acceptedContent(mcpReq.inputResponses, 'confirm', agreed)
      if (answer && known?.round === 1) return say('state-ok')
      return inputRequired({
        inputRequests: { confirm: askConsent },
        requestState: await state.mint({ round: 1 }),
      })
    })
  add('test_input_required_result_multiple_inputs', async ({ mcpReq }) => {
    const { inputResponses } = mcpReq
    const name = acceptedContent(inputResponses, 'user_name', named)
    const greeting = inputResponse(inputResponses, 'greeting').kind === 'sampling'
    const roots = inputResponse(inputResponses, 'client_roots').kind === 'roots'
    if (name && greeting && roots && mcpReq.requestState()) return say(`Hello, ${name.name}!`)
    return inputRequired({
      inputRequests: {
        user_name: askName,
        greeting: askModel('Generate a greeting', 50),
        client_roots: inputRequired.listRoots(),
      },
      requestState: await state.mint({ round: 1 }),
    })
  })
  add('test_input_required_result_multi_round', async ({ mcpReq: { inputResponses, requestState } }) => {
    const round = requestState<{ round: number }>()?.round ?? 0
    const ask = async (key: string, question: typeof askName, next: number): Promise<Outcome> =>
      inputRequired({ inputRequests: { [key]: question }, requestState: await state.mint({ round: next }) })
    if (round === 2 && acceptedContent(inputResponses, 'step2', coloured)) return say('Both were told.')
    if (round === 1 && acceptedContent(inputResponses, 'step1', named)) return ask('step2', askColour, 2)
    return ask('step1', askName, 1)
  })
  add('test_input_required_result_capabilities', ({ mcpReq: { envelope } }) => {
    const said = (envelope ?? {}) as { [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities }
    const { sampling, elicitation } = said[CLIENT_CAPABILITIES_META_KEY] ?? {}
    return inputRequired({
      inputRequests: {
        ...(sampling ? { greeting: askModel('Generate a greeting', 50) } : {}),
        ...(elicitation ? { user_name: askName } : {}),
      },
    })
  })
  add('test_missing_capability', () =>
    inputRequired({ inputRequests: { greeting: askModel('Generate a greeting', 50) } }),
  )
  add('test_streaming_elicitation', () => inputRequired({ inputRequests: { user_name: askName } }))
}

/** Prompts can request input like tools can. */
export function addAskingPrompt(server: McpServer): void {
  const name = 'test_input_required_result_prompt'
  server.registerPrompt(name, { description: name }, ({ mcpReq: { inputResponses } }) => {
    const answer = acceptedContent(inputResponses, 'user_context', told)
    if (!answer) return inputRequired({ inputRequests: { user_context: askContext } })
    return { messages: [{ role: 'user', content: { type: 'text', text: `Context: ${answer.context}` } }] }
  })
}
